"""Reading from thousands of connections at once."""

import select
import time


def answers(peers, seconds):
    """Waits until each has had a byte of an answer, or closed; returns how many have not."""
    poll = select.epoll()
    left = {peer.socket.fileno(): peer for peer in peers}
    for number in left:
        poll.register(number, select.EPOLLIN)
    end = time.monotonic() + seconds
    while left and time.monotonic() < end:
        for number, _ in poll.poll(0.1):
            left.pop(number, None)
            poll.unregister(number)
    poll.close()
    return len(left)
