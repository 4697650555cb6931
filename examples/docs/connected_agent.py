import asyncio
import os
import re

from parley_serve import serve


async def handle(turn):
    words = re.findall(r"\w+", turn.text)
    if len(words) < 2:
        yield turn.ask("Which text should I count? Send a sentence or more.")
        return
    yield turn.status("Counting")
    yield f"Your text has {len(words)} words."


asyncio.run(
    serve(
        url=os.environ["PARLEY_URL"],
        agent=os.environ["PARLEY_AGENT"],
        token=os.environ["PARLEY_TOKEN"],
        handle=handle,
    )
)
