from fastapi import APIRouter, HTTPException, status

from app.models import Category, Dimensions, Product
from app.schemas import ProductIn, ProductOut
from app.store import StoreOfApp

router = APIRouter(prefix="/products", tags=["products"])


@router.get("", response_model=list[ProductOut])
def list_products(store: StoreOfApp, category: Category | None = None) -> list[Product]:
    found = sorted(store.products.values(), key=lambda product: product.sku)
    return [product for product in found if category is None or product.category == category]


@router.post("", response_model=ProductOut, status_code=status.HTTP_201_CREATED)
def create_product(body: ProductIn, store: StoreOfApp) -> Product:
    if body.sku in store.products:
        raise HTTPException(status.HTTP_409_CONFLICT, f"{body.sku} is there already")
    fields = body.model_dump(exclude={"dimensions"})
    dimensions = Dimensions(**body.dimensions.model_dump()) if body.dimensions else None
    product = Product(**fields, dimensions=dimensions)
    store.products[product.sku] = product
    return product


@router.get("/{sku}", response_model=ProductOut)
def get_product(sku: str, store: StoreOfApp) -> Product:
    product = store.products.get(sku)
    if product is None:
        raise HTTPException(status.HTTP_404_NOT_FOUND, f"there is no product {sku}")
    return product
