from fastapi.testclient import TestClient

from app.main import create_app

DRILL = {"sku": "DRILL-18V", "name": "Drill, 18 V", "category": "tools", "price_cents": 12900}


def test_a_product_is_found_by_its_sku() -> None:
    client = TestClient(create_app())
    assert client.post("/api/v1/products", json=DRILL).status_code == 201
    assert client.get("/api/v1/products/DRILL-18V").json()["name"] == "Drill, 18 V"


def test_a_sku_is_taken_once() -> None:
    client = TestClient(create_app())
    client.post("/api/v1/products", json=DRILL)
    assert client.post("/api/v1/products", json=DRILL).status_code == 409


def test_products_are_listed_by_category() -> None:
    client = TestClient(create_app())
    client.post("/api/v1/products", json=DRILL)
    assert client.get("/api/v1/products", params={"category": "parts"}).json() == []


def test_a_product_that_is_not_there_is_not_found() -> None:
    assert TestClient(create_app()).get("/api/v1/products/NONE").status_code == 404
