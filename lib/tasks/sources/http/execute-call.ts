import type { ExtensionUse } from '../../../protocol/extensions';
import { callAgent } from '../../agent-client/call-agent';
import type { Run, RunState } from '../../runs/run-source';
import { httpTraceOfRun, ingestBatch, readStream, write } from '../../runs/run-state';

type Request = Parameters<typeof callAgent>[0]['request'];

/**
 * Reads one call to its end or the end of the turn. Items that may follow a question stay in `state.trailingBatches`.
 */
export async function executeCall(state: RunState, request: Request): Promise<void> {
  const { run, normalizer, signal } = state;
  const { agent, requestId, trace } = run;
  const extensions = extensionsForCall(run, request);
  const token = await state.token();
  const httpTraceOf = httpTraceOfRun(run.record);
  const taskId = run.record.id;
  const batches = await callAgent({ agent, request, extensions, requestId, token, trace, taskId, signal, httpTraceOf });
  if (Array.isArray(batches)) {
    for (const batch of batches) {
      const turnEnded = ingestBatch(state, batch);
      if (turnEnded instanceof Promise ? await turnEnded : turnEnded) break;
    }
  } else await readStream(state, batches[Symbol.asyncIterator]());
  if (!normalizer.turnEnded) await write(state, normalizer.finish(new Date()));
}

/**
 * The response to the send determines the active extensions. Later calls request the same, and their responses are
 * ignored.
 */
export function extensionsForCall({ extensions }: Pick<Run, 'extensions'>, request: Request): ExtensionUse | undefined {
  return extensions && 'taskId' in request ? { requested: extensions.requested, activated: [] } : extensions;
}
