from fastapi import APIRouter, HTTPException, status

from app.models import StockLevel
from app.schemas import ReceiptIn, StockOut
from app.services import stock
from app.store import Store, StoreOfApp

router = APIRouter(prefix="/stock", tags=["stock"])


@router.get("/{sku}", response_model=list[StockOut])
def list_levels(sku: str, store: StoreOfApp) -> list[StockLevel]:
    _known(store, sku)
    return store.levels_of(sku)


@router.post("/{sku}/receipts", response_model=StockOut, status_code=status.HTTP_201_CREATED)
def receive(sku: str, body: ReceiptIn, store: StoreOfApp) -> StockLevel:
    _known(store, sku)
    return stock.receive(store, sku, body.warehouse, body.quantity)


def _known(store: Store, sku: str) -> None:
    if sku not in store.products:
        raise HTTPException(status.HTTP_404_NOT_FOUND, f"there is no product {sku}")
