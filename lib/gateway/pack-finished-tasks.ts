import { packTasks } from './store/pack-tasks';

/** How long a task is over before its events are packed, milliseconds: until then readers may still come back to it. */
const restMs = 3_600_000;
const perTurn = 200;

/**
 * Packs the stories of tasks that are over for an hour. Nothing is lost by it, not even a sequence number: a reader who comes
 * back gets exactly the events after the one it saw last. Safe on several nodes at once.
 */
export async function packFinishedTasks(now: Date): Promise<number> {
  let packed = 0;
  for (;;) {
    const more = await packTasks(new Date(now.getTime() - restMs), perTurn);
    packed += more;
    if (more < perTurn) return packed;
  }
}
