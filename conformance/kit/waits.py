"""Questions that wait while something is done."""

import contextlib
import threading
import time

from .document import parse
from .judge import need


def answer_after(place, rest, act):
    """The answer to a question that waits, while something is done."""
    other = type(place.service)(place.service.url.geturl(), place.service.token)

    def ask():
        place.found = other.ask("GET", place.path(rest))

    place.found = None
    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.3)  # so that it waits; if it does not yet, the answer is the same
    act()
    thread.join(300)
    need(place.found is not None, "the answer comes")
    return place.found


def woken(place, body, act):
    """The answer of a sync that waits while something is written."""
    answers = []
    connection = type(place.service)(place.service.url.geturl(), place.service.token)
    thread = threading.Thread(target=lambda: answers.append(connection.ask("POST", f"{place.base}/sync", body)))
    thread.start()
    time.sleep(0.3)
    act()
    thread.join(60)
    need(answers, "the answer comes")
    return answers[0].json


PATIENCE = 60  # seconds in which a busy machine does what the contract says is done at once


@contextlib.contextmanager
def waiting(service, path):
    """A question that waits in a thread of its own; gives a list that will have its answer and when that came."""
    found = []

    def ask():
        found.append((service.ask("GET", path), time.time()))

    thread = threading.Thread(target=ask)
    thread.start()
    yield found
    thread.join(PATIENCE)
    need(found, "the question that waits is answered")


def ended(events):
    """The data of the event `end` of a stream."""
    for event in events:
        if event.get("event") == "end":
            return parse(event["data"])
    return need(False, "the stream ends with `end`")
