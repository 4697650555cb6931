import { type CallLog, startCallLog } from '../../observability';
import { errorFields, log } from '../../platform/log';
import type { HttpResponse } from '../http-message';
import { EventStream } from '../sse/event-stream';

/** An answer, and our code of the error that it tells, if it does. */
export interface LoggedResponse {
  response: HttpResponse | EventStream;
  code?: string;
}

/**
 * Answers a call and writes its one log line when the answer is over. `call` may be filled in while the call is read; `refused` says
 * what of an error is told.
 */
export async function withCallLog(
  call: CallLog,
  handler: () => Promise<LoggedResponse['response']>,
  onError: (error: unknown) => LoggedResponse,
): Promise<LoggedResponse['response']> {
  const logCall = startCallLog();
  let outcome: LoggedResponse;
  try {
    outcome = { response: await handler() };
  } catch (error) {
    outcome = onError(error);
  }
  const { response: answer, code } = outcome;
  if (answer instanceof EventStream)
    answer.onEnded(() => logCall(call, { status: 200, code: undefined, streamed: true }));
  // When the answer is on its way: whoever waits for it does not wait for the log.
  else process.nextTick(logSafely, logCall, call, { status: answer.status, code, streamed: false });
  return answer;
}

/** What goes wrong here has no caller any more. */
function logSafely(logCall: ReturnType<typeof startCallLog>, ...args: Parameters<typeof logCall>): void {
  try {
    logCall(...args);
  } catch (error) {
    log.error('call.not_told', errorFields(error));
  }
}
