"""Everything is kept in memory: one store an application, so that tests share nothing."""

from typing import Annotated

from fastapi import Depends, Request

from app.models import Product, StockLevel


class Store:
    def __init__(self) -> None:
        self.products: dict[str, Product] = {}
        self.levels: dict[tuple[str, str], StockLevel] = {}

    def level(self, sku: str, warehouse: str) -> StockLevel:
        """The level there, which is made with nothing on hand the first time somebody asks."""
        return self.levels.setdefault((sku, warehouse), StockLevel(sku, warehouse, on_hand=0))

    def levels_of(self, sku: str) -> list[StockLevel]:
        found = [level for level in self.levels.values() if level.sku == sku]
        return sorted(found, key=lambda level: level.warehouse)


def get_store(request: Request) -> Store:
    return request.app.state.store


StoreOfApp = Annotated[Store, Depends(get_store)]
