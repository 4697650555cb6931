import { newUuid } from '@/lib/platform/ids';
import { ScriptedAgent } from './scripted-agent';

const example = 'How do you feel today?';

/**
 * An agent with a health switch: a real A2A 0.3 server that records requests and their times. While unhealthy it
 * returns 500 with a text that contains a secret.
 */
export class FlapsAgent {
  /** Arrival time of each request, ms since the epoch, by method. */
  readonly times: { method: string; at: number }[] = [];
  isWell = true;
  /** Its tasks fail although it responds. */
  failsTasks = false;

  private constructor(readonly agent: ScriptedAgent) {
    agent.answer(({ received, json }) => {
      this.times.push({ method: received.method, at: Date.now() });
      if (!this.isWell) return json({ error: 'out of order', token: 'hidden-from-everybody' }, 500);
      const envelope = { jsonrpc: '2.0', id: received.id };
      if (received.method !== 'message/send') {
        return json({ ...envelope, error: { code: -32001, message: 'Task not found' } });
      }
      const state = this.failsTasks ? 'failed' : 'completed';
      const status = { state, timestamp: new Date().toISOString() };
      return json({ ...envelope, result: { kind: 'task', id: newUuid(), contextId: newUuid(), status } });
    });
  }

  static async start(name = 'Flaps'): Promise<FlapsAgent> {
    return new FlapsAgent(await ScriptedAgent.start({ name, streaming: false, examples: [example] }));
  }

  get url(): string {
    return this.agent.url;
  }

  /** Arrival times of the requests of one method. */
  timesOf(method: string): number[] {
    return this.times.filter((time) => time.method === method).map(({ at }) => at);
  }

  stop(): Promise<void> {
    return this.agent.stop();
  }
}
