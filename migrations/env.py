"""Alembic's entry: the connection, its transaction and its lock come from storage.migrate."""

from alembic import context

from mushcombat.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
context.run_migrations()
