import type { OfferResult } from '../protocol/hub/schema';
import type { JsonObject } from '../protocol/json';

/** A run, as the channel of its worker sees it. */
export interface ChannelRun {
  runId: string;
  epoch: number;
  /** Queues events that the hub writes for a worker. */
  append: (items: JsonObject[]) => void;
}

/** What the hub sends to one worker about its runs, in the worker's protocol. */
export interface RunChannel {
  /** Offers a run; resolves with the worker's answer. Never rejects. */
  offer: (run: ChannelRun, offer: JsonObject) => Promise<OfferResult>;
  /** Lets the worker begin. `offer`: what it was offered; null when it came back for the run. */
  start: (run: ChannelRun, offer: JsonObject | null) => void;
  /** Everything up to the n-th event is persisted. */
  acknowledge: (run: ChannelRun, n: number) => void;
  /** Asks the worker to stop. The run's last status follows as an event. */
  cancel: (run: ChannelRun, reason?: string) => void;
  /** Asks the worker to connect again, to another node. */
  drain: (reconnectWithinMs: number) => void;
  close: (code: number, reason: string) => void;
  /** The connection has closed. */
  end: () => void;
}

/** What a channel needs of its socket. */
export interface WorkerSocket {
  send: (text: string) => void;
  /** Resolves once the operating system has the text, or the connection has closed. */
  sendFlushed: (text: string) => Promise<void>;
  close: (code: number, reason: string) => void;
}
