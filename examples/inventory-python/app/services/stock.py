"""Goods that come in and goods that go out."""

from app.models import StockLevel
from app.store import Store


class NotEnoughStock(Exception):
    def __init__(self, sku: str, wanted: int, there: int) -> None:
        super().__init__(f"{wanted} of {sku} wanted, {there} there")
        self.sku = sku
        self.wanted = wanted
        self.there = there


def receive(store: Store, sku: str, warehouse: str, quantity: int) -> StockLevel:
    level = store.level(sku, warehouse)
    level.on_hand += quantity
    return level


def ship(store: Store, sku: str, warehouse: str, quantity: int) -> StockLevel:
    level = store.level(sku, warehouse)
    if level.on_hand < quantity:
        raise NotEnoughStock(sku, quantity, level.on_hand)
    level.on_hand -= quantity
    return level
