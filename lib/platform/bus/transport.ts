import type { Statement } from '../db/pipelined-statements';
import type { Topic } from './topics';

/** Delivers notifications to the other nodes. */
export interface NoticeTransport {
  /** The statements that notify at the commit of the write that they are executed with. */
  inCommit(topic: Topic, keys: () => string[]): Statement[];
  /** Notifies of a committed write, unless its commit already did. */
  afterCommit(topic: Topic, key: string): void;
  /** Notifies independently of a write. */
  publish(topic: Topic, key: string): Promise<void>;
}
