"""The application: `uvicorn app.main:app`."""

from fastapi import FastAPI

from app.routers import products, stock
from app.store import Store


def create_app(store: Store | None = None) -> FastAPI:
    app = FastAPI(title="Inventory", version="1.4.0")
    app.state.store = store if store is not None else Store()
    app.include_router(products.router, prefix="/api/v1")
    app.include_router(stock.router, prefix="/api/v1")
    return app


app = create_app()
