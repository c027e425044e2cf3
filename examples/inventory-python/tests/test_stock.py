import pytest

from app.services.stock import NotEnoughStock, receive, ship
from app.store import Store


def test_what_is_received_is_on_hand() -> None:
    store = Store()
    receive(store, "DRILL-18V", "north", 5)
    assert receive(store, "DRILL-18V", "north", 2).on_hand == 7


def test_no_more_is_shipped_than_there_is() -> None:
    store = Store()
    receive(store, "DRILL-18V", "north", 5)
    with pytest.raises(NotEnoughStock):
        ship(store, "DRILL-18V", "north", 6)
