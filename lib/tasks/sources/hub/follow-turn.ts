import type { CallerActor } from '../../../platform/context';
import { childController, sleep } from '../../../platform/runtime/abort';
import { errorFields, log } from '../../../platform/runtime/log';
import { eventEndsTurn } from '../../../protocol/a2a/core/events';
import { endsTurn } from '../../../protocol/a2a/core/model';
import type { Dialect } from '../../../protocol/a2a/dialects';
import { HubError } from '../../../protocol/hub/errors';
import { isObject, type JsonObject } from '../../../protocol/json';
import { onCredentialChange } from '../../../tokens';
import { FOLLOW_RETRY_MS } from '../../limits';
import { tailTask } from '../../log/tail-task';
import { type Turn, throwIfRefused } from '../../runs/turn';
import type { StoredEvent } from '../../store/records';

interface Follow {
  caller: CallerActor;
  dialect: Dialect;
  signal: AbortSignal;
}

/**
 * The events after the turn's start in the dialect, until the turn ends or `signal` aborts.
 * @throws {ParleyError} the reason why the turn failed without a response of the agent
 * @throws {HubError} `caller_ended` when the caller's credential ends
 */
export async function* followTurn(turn: Turn, { caller, dialect, signal }: Follow): AsyncGenerator<JsonObject> {
  if (endsTurn(turn.task.status.state)) return;
  const { id: taskId, contextId } = turn.record;
  const credential = new AbortController();
  const ended = childController(signal);
  const end = (): void => {
    credential.abort();
    ended.abort();
  };
  const unsubscribe = onCredentialChange(caller, end);
  try {
    for await (const { event } of eventsAfter(turn, ended.signal)) {
      throwIfRefused(event);
      const item = dialect.event(event, { taskId, contextId });
      if (isObject(item)) yield item;
      if (eventEndsTurn(event)) return;
    }
    if (credential.signal.aborted)
      throw new HubError('caller_ended', 'The token or session that sent the task has expired or was revoked.');
  } finally {
    unsubscribe();
    ended.abort();
  }
}

/** Continues when the database was unavailable. */
async function* eventsAfter({ record, seq }: Turn, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  let after = seq;
  while (!signal.aborted) {
    try {
      for await (const batch of tailTask(record.id, after, { signal })) {
        for (const stored of batch) {
          after = stored.seq;
          yield stored;
        }
      }
      return;
    } catch (error) {
      log.warn('hub.follow_failed', { taskId: record.id, ...errorFields(error) });
      await sleep(FOLLOW_RETRY_MS, signal).catch(() => undefined);
    }
  }
}
