"""What the service knows: products, and how many of each lie in which warehouse."""

from dataclasses import dataclass
from enum import Enum


class Category(str, Enum):
    TOOLS = "tools"
    PARTS = "parts"
    CONSUMABLES = "consumables"


@dataclass(frozen=True)
class Dimensions:
    width_mm: int
    height_mm: int
    depth_mm: int


@dataclass
class Product:
    sku: str
    name: str
    category: Category
    price_cents: int
    description: str | None = None
    dimensions: Dimensions | None = None


@dataclass
class StockLevel:
    sku: str
    warehouse: str
    on_hand: int
