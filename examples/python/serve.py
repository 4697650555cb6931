"""An agent without a URL in Python: it connects to Parley by WebSocket. Needs one package: pip install websockets

Copy this file and replace `handle` at its end. `serve` does what the SDK's `serve` does in JavaScript, with the same
names: an async generator answers a message, `turn.ask` asks back, `turn.signal` is set when the caller cancels.

    PARLEY_CLIENT_ID=... PARLEY_CLIENT_SECRET=... python3 examples/python/serve.py
"""

import asyncio
import base64
import json
import logging
import os
import random
import signal
import time
import uuid
from contextlib import aclosing
from urllib.error import HTTPError
from urllib.parse import quote_plus, urlencode
from urllib.request import Request, urlopen

import websockets

log = logging.getLogger("parley")

FIRST_DELAY, MAX_DELAY = 0.5, 30
TOO_MANY_DELAY = 60
CANCEL_SECONDS = 1.5
FAILED_TEXT = "The agent could not finish this because of an internal error."


class TurnError(Exception):
    """Ends the turn as failed, with a text for the caller. The text of any other error stays with the agent."""


class Refused(Exception):
    """Parley refuses this worker: connecting again does not help."""


class HubError(Exception):
    """A request that the hub refused."""

    def __init__(self, error):
        super().__init__(error.get("message", "refused"))
        self.reason = (error.get("data") or {}).get("reason", f"rpc_{error.get('code')}")
        self.retry_after = (error.get("data") or {}).get("retryAfterMs", 0) / 1000


class Turn:
    """One message of a caller, and what its handler needs to answer it."""

    def __init__(self, worker, offer):
        message = offer["request"]["message"]
        parts = message.get("parts", [])
        self.run_id = offer["runId"]
        self.task_id, self.context_id = offer["task"]["id"], offer["task"]["contextId"]
        self.message = message
        self.text = "\n".join(part["text"] for part in parts if "text" in part)
        self.files = [part for part in parts if "raw" in part or "url" in part]
        self.data = [part["data"] for part in parts if "data" in part]
        self.history = offer["task"].get("history", [])
        self.is_reply = bool(self.history)
        self.token = offer.get("token", "")
        self.signal = asyncio.Event()
        self.agents = Agents(worker, self)
        self.question = None

    def ask(self, question):
        """Ends this turn with a question: yield turn.ask("Which city?"), or a list of parts, such as a form"""
        parts = question if isinstance(question, list) else [{"text": question}]
        self.question = self.event("INPUT_REQUIRED", parts)
        return self.question

    def artifact(self, *, text=None, data=None, name=None, parts=()):
        """An artifact to yield."""
        own = ([] if text is None else [{"text": text}]) + ([] if data is None else [{"data": data}])
        artifact = {"artifactId": str(uuid.uuid4()), "parts": [*own, *parts], **({"name": name} if name else {})}
        return {"artifactUpdate": {**self.ids, "artifact": artifact, "lastChunk": True}}

    def status(self, text):
        """A status text to yield, such as "Reading the file"."""
        return self.event("WORKING", [{"text": text}])

    @property
    def ids(self):
        return {"taskId": self.task_id, "contextId": self.context_id}

    def event(self, state, parts=None):
        status = {"state": f"TASK_STATE_{state}"}
        if parts:
            status["message"] = {"messageId": str(uuid.uuid4()), "role": "ROLE_AGENT", "parts": parts, **self.ids}
        return {"statusUpdate": {**self.ids, "status": status}}


class Agents:
    """The other agents of this Parley, called through it for the caller of the turn."""

    def __init__(self, worker, turn):
        self.worker, self.turn = worker, turn

    async def search(self, query, limit=10):
        return await self.worker.request("agent.search", {"query": query, "limit": limit})

    async def send(self, agent, text, **place):
        """Waits until the agent has answered or asks something; returns its task."""
        message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"text": text}]}
        params = {"agent": agent, "message": message, "runId": self.turn.run_id, **place}
        return await self.worker.delegate(params)


class Run:
    """One accepted run: its events are numbered, kept until acknowledged, and sent again after a reconnect."""

    def __init__(self, worker, offer):
        self.worker, self.ref = worker, {"runId": offer["runId"], "epoch": offer["epoch"]}
        self.turn = Turn(worker, offer)
        self.artifact_id = f"answer-{offer['runId'].split(':')[-1]}"
        self.sent, self.unacknowledged, self.has_chunks, self.task, self.is_gone = 0, [], False, None, False
        self.changed = asyncio.Condition()

    def start(self):
        if self.task is None:
            self.task = asyncio.create_task(self.perform())

    async def push(self, item):
        self.sent += 1
        params = {**self.ref, "n": self.sent, "item": item}
        frame = json.dumps({"jsonrpc": "2.0", "method": "run.event", "params": params})
        self.unacknowledged.append((self.sent, frame))
        await self.worker.send(frame)

    async def acknowledge(self, n):
        self.unacknowledged = [(m, frame) for m, frame in self.unacknowledged if m > n]
        async with self.changed:
            self.changed.notify_all()
        if self.task and self.task.done() and not self.unacknowledged:
            self.worker.forget(self)

    async def room(self):
        """Stops pulling the handler's generator while the window is full."""
        policy = self.worker.policy
        async with self.changed:
            await self.changed.wait_for(
                lambda: len(self.unacknowledged) < policy.get("windowEvents", 64)
                and sum(len(frame) for _, frame in self.unacknowledged) < policy.get("windowBytes", 262_144)
            )

    async def perform(self):
        turn = self.turn
        try:
            await self.push(turn.event("WORKING"))
            async with aclosing(self.worker.handle(turn)) as outputs:
                async for output in outputs:
                    if turn.signal.is_set() or turn.question is not None:
                        break
                    if output:
                        await self.push(self.event_of(output))
                    await self.room()
            last = turn.event("CANCELED") if turn.signal.is_set() else turn.question or turn.event("COMPLETED")
        except asyncio.CancelledError:
            last = turn.event("CANCELED")
        except TurnError as error:
            last = turn.event("FAILED", [{"text": str(error)}])
        except Exception:
            log.exception("turn %s failed", turn.run_id)
            last = turn.event("FAILED", [{"text": FAILED_TEXT}])
        if self.is_gone:
            return
        await self.push(last)
        log.info("task %s %s", turn.task_id, last["statusUpdate"]["status"]["state"])

    def event_of(self, output):
        """Text and parts become chunks of one artifact, the answer; events of A2A 1.0 stay as they are."""
        if isinstance(output, dict) and ("statusUpdate" in output or "artifactUpdate" in output or "task" in output):
            return output
        parts = [{"text": output}] if isinstance(output, str) else [output]
        artifact = {"artifactId": self.artifact_id, "parts": parts}
        append, self.has_chunks = self.has_chunks, True
        return {"artifactUpdate": {**self.turn.ids, "artifact": artifact, "append": append}}

    def cancel(self):
        """The caller cancels: the handler gets its signal, and some seconds."""
        self.turn.signal.set()
        if self.task:
            asyncio.get_running_loop().call_later(CANCEL_SECONDS, self.task.cancel)


class Worker:
    """Connects an agent to the hub, and again whenever the connection ends, until it drains."""

    def __init__(self, url, agent, handle, get_token, capacity):
        self.hub_url = f"{url.replace('http', 'ws', 1)}/ws/agents"
        self.agent, self.handle, self.get_token, self.capacity = agent, handle, get_token, capacity
        self.worker_id = str(uuid.uuid4())
        self.runs, self.pending, self.delegated, self.policy = {}, {}, {}, {}
        self.socket, self.draining, self.last_id, self.idle = None, asyncio.Event(), 0, asyncio.Event()
        self.expires_at = None

    async def run(self):
        ceiling = FIRST_DELAY
        while not self.draining.is_set() or self.active:
            delay = 0
            try:
                async with websockets.connect(self.hub_url, subprotocols=["parley.hub.v1"], max_size=None) as socket:
                    reader = asyncio.create_task(self.read(socket))
                    reader.add_done_callback(lambda _: self.fail_pending())
                    try:
                        await self.hello(socket)
                        ceiling = FIRST_DELAY
                        await self.until_closed(socket, reader)
                    finally:
                        self.socket = None
                        reader.cancel()
                if socket.close_code == 4403:
                    raise Refused(socket.close_reason)
                delay = TOO_MANY_DELAY if socket.close_code == 4429 else 0
            except HubError as error:
                is_final = error.reason == "invalid_token" and self.expires_at is None
                if is_final or error.reason in ("not_your_agent", "suspended"):
                    raise Refused(str(error)) from error
                is_too_often = error.reason in ("too_many_workers", "rate_limited")
                delay = max(TOO_MANY_DELAY, error.retry_after) if is_too_often else error.retry_after
                log.warning("not connected: %s", error)
            except HTTPError as error:
                if error.code in (400, 401, 403):
                    raise Refused(f"no token: HTTP {error.code}") from error
                log.warning("no token: HTTP %s", error.code)
            except (OSError, websockets.WebSocketException) as error:
                log.warning("not connected: %s", error)
            # Full jitter; only a successful hello resets it.
            await self.pause(max(delay, random.uniform(0, ceiling)))
            ceiling = min(ceiling * 2, MAX_DELAY)

    async def pause(self, seconds):
        """Sleeps, unless the worker drains and has nothing to come back for."""
        if not self.active:
            await asyncio.wait({asyncio.create_task(self.draining.wait())}, timeout=seconds)
        else:
            await asyncio.sleep(seconds)

    @property
    def active(self):
        """The runs that have started and whose events are not all acknowledged."""
        return [run for run in self.runs.values() if run.task]

    async def hello(self, socket):
        runs = [{**run.ref, "sent": run.sent} for run in self.runs.values()]
        token, self.expires_at = await asyncio.to_thread(self.get_token)
        identity = {"agent": self.agent, "workerId": self.worker_id, "capacity": self.capacity}
        welcome = await self.request("hub.hello", {"token": token, **identity, "runs": runs}, socket)
        self.policy = welcome["policy"]
        self.socket = socket
        for known in welcome.get("runs", []):
            run = self.runs.get(known["runId"])
            if run and known.get("gone"):
                self.drop(run)
            elif run:
                await run.acknowledge(known["seen"])
                for _, frame in run.unacknowledged:
                    await self.send(frame)
        for call in list(self.delegated.values()):
            asyncio.create_task(self.resend(call))
        log.info("connected as %s", self.agent)

    async def until_closed(self, socket, reader):
        """Renews the token, and closes the connection once the worker is drained."""
        drained = asyncio.create_task(self.drain())
        try:
            while not reader.done():
                left = self.expires_at - time.time() - 60 if self.expires_at else None
                await asyncio.wait({reader, drained}, timeout=max(10, left) if left is not None else None,
                                   return_when=asyncio.FIRST_COMPLETED)
                if drained.done():
                    await socket.close(1000)
                    return
                if not reader.done() and left is not None:
                    token, self.expires_at = await asyncio.to_thread(self.get_token)
                    await self.request("hub.auth", {"token": token})
        finally:
            drained.cancel()

    async def drain(self):
        await self.draining.wait()
        await self.notify("worker.state", {"draining": True})
        while self.active:
            self.idle.clear()
            await self.idle.wait()

    async def read(self, socket):
        try:
            async for text in socket:
                await self.take(socket, json.loads(text))
        except websockets.ConnectionClosed:
            pass

    async def take(self, socket, frame):
        if "method" not in frame:
            future = self.pending.pop(frame.get("id"), None)
            if future and not future.done():
                error = frame.get("error")
                future.set_exception(HubError(error)) if error else future.set_result(frame.get("result", {}))
            return
        result = await self.receive(frame["method"], frame.get("params", {}))
        if "id" in frame:
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "result": result or {}}))

    async def receive(self, method, params):
        run = self.runs.get(params.get("runId"))
        is_current = run is not None and params.get("epoch", run.ref["epoch"]) == run.ref["epoch"]
        if method == "run.offer":
            return self.offer(params)
        if method == "run.start" and is_current:
            run.start()
        elif method == "run.start":
            await self.notify("run.release", {"runId": params["runId"], "epoch": params["epoch"]})
        elif method == "run.ack" and run:
            await run.acknowledge(params["n"])
        elif method == "run.cancel" and is_current:
            run.cancel()
        elif method == "run.gone" and is_current:
            self.drop(run)
        elif method == "agent.event":
            self.note(params["taskId"], params["item"])
        return None

    def offer(self, params):
        """Accepting starts nothing: the handler runs once `run.start` arrives."""
        if self.draining.is_set():
            return {"accept": False, "reason": "draining"}
        if sum(1 for run in self.runs.values() if run.task and not run.task.done()) >= self.capacity:
            return {"accept": False, "reason": "busy"}
        self.runs[params["runId"]] = Run(self, params)
        return {"accept": True}

    async def delegate(self, params):
        call = {"params": params, "future": asyncio.get_running_loop().create_future(), "task": None}
        key = params["message"]["messageId"]
        self.delegated[key] = call
        try:
            await self.resend(call)
            return await call["future"]
        finally:
            del self.delegated[key]

    async def resend(self, call):
        """A message that is sent twice is processed once: this also continues after a reconnect."""
        try:
            call["task"] = (await self.request("agent.send", call["params"]))["task"]
            self.note(call["task"]["id"], {"task": call["task"]})
        except ConnectionError:
            pass
        except HubError as error:
            if not call["future"].done():
                call["future"].set_exception(error)

    def note(self, task_id, item):
        for call in self.delegated.values():
            task, future = call["task"], call["future"]
            if task is None or task["id"] != task_id or future.done():
                continue
            if "task" in item:
                task.update(item["task"])
            elif "statusUpdate" in item:
                task["status"] = item["statusUpdate"]["status"]
            elif "artifactUpdate" in item:
                task.setdefault("artifacts", []).append(item["artifactUpdate"]["artifact"])
            if task["status"]["state"] not in ("TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"):
                future.set_result(task)

    def drop(self, run):
        run.is_gone = True
        run.turn.signal.set()
        if run.task:
            run.task.cancel()
        self.forget(run)

    def forget(self, run):
        self.runs.pop(run.ref["runId"], None)
        self.idle.set()

    async def request(self, method, params, socket=None):
        socket = socket or self.socket
        if socket is None:
            raise ConnectionError("not connected")
        self.last_id += 1
        request_id = f"w-{self.last_id}"
        self.pending[request_id] = asyncio.get_running_loop().create_future()
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}))
        return await asyncio.wait_for(self.pending[request_id], 30)

    async def notify(self, method, params):
        await self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def send(self, frame):
        """Without a connection an event waits in its run."""
        if self.socket:
            try:
                await self.socket.send(frame)
            except websockets.ConnectionClosed:
                pass

    def fail_pending(self):
        for future in self.pending.values():
            if not future.done():
                future.set_exception(ConnectionError("the connection ended"))
        self.pending.clear()


def client_credentials(url, agent, client_id, client_secret):
    """Gets tokens for the agent's app (RFC 6749, section 4.4). Each is good for a quarter of an hour."""

    def get_token():
        credentials = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
        form = {"grant_type": "client_credentials", "scope": "agent:serve", "resource": f"{url}/agents/{agent}/hub"}
        request = Request(
            f"{url}/api/auth/token",
            data=urlencode(form).encode(),
            headers={"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()},
        )
        with urlopen(request, timeout=10) as response:
            answer = json.load(response)
        return answer["access_token"], time.time() + answer["expires_in"]

    return get_token


async def serve(*, url, agent, handle, token=None, client_id=None, client_secret=None, capacity=4):
    """Serves an agent until SIGTERM or SIGINT, which finish the running turns first."""
    get_token = (lambda: (token, None)) if token else client_credentials(url, agent, client_id, client_secret)
    worker = Worker(url, agent, handle, get_token, capacity)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, worker.draining.set)
    await worker.run()


async def handle(turn):
    """Your agent."""
    if turn.text == "ask":
        yield turn.ask("What is your name?")
        return
    yield "Hello, "
    yield turn.text


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    asyncio.run(
        serve(
            url=os.environ.get("PARLEY_URL", "http://localhost:3000"),
            agent=os.environ.get("PARLEY_AGENT", "greeter"),
            handle=handle,
            token=os.environ.get("PARLEY_TOKEN"),
            client_id=os.environ.get("PARLEY_CLIENT_ID"),
            client_secret=os.environ.get("PARLEY_CLIENT_SECRET"),
        )
    )
