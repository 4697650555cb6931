import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { insertCallError } from './store';

/** Keeps a failed call of an agent for its owner's console. Never throws: watching must not break what is watched. */
export async function recordCallError(failure: {
  agentId: string;
  code: string;
  message: string;
  requestId: string;
}): Promise<void> {
  log.warn('agent.call_failed', failure);
  try {
    await insertCallError({ id: newId('err'), ...failure });
  } catch (error) {
    log.error('observability.write_failed', errorFields(error));
  }
}
