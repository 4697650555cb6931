import { type CallLog, watchCall } from '../observability';
import { errorFields, log } from '../platform/log';
import { EventStream } from './event-stream';
import type { PlainAnswer } from './plain';

/** An answer, and our code of the error that it tells, if it does. */
export interface Told {
  answer: PlainAnswer | EventStream;
  code?: string;
}

/**
 * Answers a call and writes its one log line when the answer is over. `call` may be filled in while the call is read; `refused` says
 * what of an error is told.
 */
export async function observed(
  call: CallLog,
  answering: () => Promise<Told['answer']>,
  refused: (error: unknown) => Told,
): Promise<Told['answer']> {
  const over = watchCall();
  let told: Told;
  try {
    told = { answer: await answering() };
  } catch (error) {
    told = refused(error);
  }
  const { answer, code } = told;
  if (answer instanceof EventStream)
    answer.whenOver(() => over(call, { status: 200, code: undefined, streamed: true }));
  // When the answer is on its way: whoever waits for it does not wait for the log.
  else process.nextTick(tell, over, call, { status: answer.status, code, streamed: false });
  return answer;
}

/** What goes wrong here has no caller any more. */
function tell(over: ReturnType<typeof watchCall>, ...ended: Parameters<typeof over>): void {
  try {
    over(...ended);
  } catch (error) {
    log.error('call.not_told', errorFields(error));
  }
}
