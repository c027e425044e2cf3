"""Bodies of requests and responses for products and stock."""

from pydantic import BaseModel, ConfigDict, Field

from app.models import Category


class DimensionsBody(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    width_mm: int = Field(gt=0)
    height_mm: int = Field(gt=0)
    depth_mm: int = Field(gt=0)


class ProductIn(BaseModel):
    sku: str = Field(pattern=r"^[A-Z0-9-]{3,20}$")
    name: str = Field(min_length=1)
    category: Category
    price_cents: int = Field(ge=0)
    description: str | None = None
    dimensions: DimensionsBody | None = None


class ProductOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    sku: str
    name: str
    category: Category
    price_cents: int
    description: str | None = None
    dimensions: DimensionsBody | None = None


class ReceiptIn(BaseModel):
    warehouse: str = Field(min_length=1)
    quantity: int = Field(gt=0)


class StockOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    sku: str
    warehouse: str
    on_hand: int
