"""Black-box checks of a service: each is named by the section of the contract whose sentence it checks."""

from . import (  # noqa: F401  (each adds its own)
    access,
    coding,
    deltas,
    deriving,
    edits,
    limits,
    operations,
    public,
    random_views,
    resources,
    restrictions,
    snapshots,
    views,
    waiting,
    writing,
)
