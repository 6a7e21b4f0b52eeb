"""The trials, by what they attack."""

from . import heads, bodies, settings, edits, lists, memory, streams, waiting, churn, writers, process, flat_streams, forward  # noqa: F401
