import { type CallLog, watchCall } from '../observability';
import type { EventStream } from './event-stream';

/** An answer, and our code of the error that it tells, if it does. */
export interface Told {
  answer: Response | EventStream;
  code?: string;
}

/** Answers a call and writes its one log line when the answer is over. `call` may be filled in while the call is read. */
export async function observed(call: CallLog, answering: () => Promise<Told>): Promise<Response | EventStream> {
  const over = watchCall();
  const { answer, code } = await answering();
  if (answer instanceof Response) over(call, { status: answer.status, code });
  else answer.whenOver(() => over(call, { status: 200, streamed: true }));
  return answer;
}
