"""Lets the public compatibility kit call an agent through Parley: adds the caller's token, and chooses the card's version.

A pytest plugin (-p parley_kit). PARLEY_ORIGIN, PARLEY_TOKEN, and optionally PARLEY_CARD_URL and PARLEY_CARD_VERSION.
"""

import os
from urllib.parse import urlsplit

import httpx
import requests

origin = os.environ["PARLEY_ORIGIN"]
authorization = "Bearer " + os.environ["PARLEY_TOKEN"]
card_url = os.environ.get("PARLEY_CARD_URL")
card_version = os.environ.get("PARLEY_CARD_VERSION")
httpx_send, httpx_async_send, requests_send = httpx.Client.send, httpx.AsyncClient.send, requests.Session.send


def edit(request, to_url):
    if not str(request.url).startswith(origin + "/"):
        return
    request.headers.setdefault("Authorization", authorization)
    if urlsplit(str(request.url)).path.endswith(("/agent-card.json", "/agent.json")):
        if card_version:
            request.headers.setdefault("A2A-Version", card_version)
        if card_url:
            request.url = to_url(card_url)


def send(self, request, *args, **options):
    edit(request, httpx.URL)
    return httpx_send(self, request, *args, **options)


async def async_send(self, request, *args, **options):
    edit(request, httpx.URL)
    return await httpx_async_send(self, request, *args, **options)


def session_send(self, request, **options):
    edit(request, str)
    return requests_send(self, request, **options)


def add_token_to_grpc():
    """grpcio does not read the scheme of the card's address."""
    try:
        import grpc
    except ImportError:
        return

    class AddToken(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
        def add(self, continuation, details, request):
            metadata = (*(details.metadata or ()), ("authorization", authorization))
            return continuation(details._replace(metadata=metadata), request)

        intercept_unary_unary = intercept_unary_stream = add

    open_channel = grpc.insecure_channel
    grpc.insecure_channel = lambda url, *args, **options: grpc.intercept_channel(
        open_channel(urlsplit(url).netloc if "//" in url else url, *args, **options), AddToken()
    )


def pytest_configure(config):
    httpx.Client.send, httpx.AsyncClient.send, requests.Session.send = send, async_send, session_send
    add_token_to_grpc()
