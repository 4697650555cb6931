import { type Dispatch, useCallback, useEffect, useReducer, useState } from 'react';
import type { ThreadView } from '../../lib/chat/schema';
import { toast } from '../ui/toast';
import { ApiError, cancelTask, eventsUrl, postMessage, readThread } from './api';
import { keepUnsent, placeOf, readUnsent } from './drafts';
import { type FeedStatus, openFeed } from './event-feed';
import { beginThread, type OwnMessage, reduceThread, type ThreadAction, type ThreadState } from './thread-state';

/** `gone`: deleted elsewhere. `signed-out`: the session ended. */
export type Connection = FeedStatus | 'gone' | 'signed-out';

export interface Thread {
  state: ThreadState;
  connection: Connection;
  /** Sends a message, or the same one once more. */
  send: (message: OwnMessage) => void;
  discard: (messageId: string) => void;
  stop: (taskId: string) => void;
}

interface ThreadOptions {
  /** Null while the conversation is only about to begin. */
  thread: ThreadView | null;
  agentSlug: string;
  /** A message is on disk. */
  onAccepted: (conversationId: string) => void;
}

/** A conversation as it lives on this page: the server's story, what is on its way there, and the line between the two. */
export function useThread({ thread, agentSlug, onAccepted }: ThreadOptions): Thread {
  const conversationId = thread?.conversation.id ?? null;
  const [state, dispatch] = useReducer(reduceThread, thread?.tasks ?? [], beginThread);
  const connection = useFeed({ thread, broken: state.broken, dispatch });
  useUnsent(placeOf(conversationId, agentSlug), state, dispatch);

  const send = useCallback(
    (message: OwnMessage) => {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      postMessage({ ...message, ...(conversationId === null ? { agentSlug } : { conversationId }) }).then(
        (posted) => {
          dispatch({ type: 'accepted', messageId });
          onAccepted(posted.conversationId);
        },
        (error: unknown) => dispatch({ type: 'not-sent', messageId, problem: problemOf(error) }),
      );
    },
    [agentSlug, conversationId, onAccepted],
  );

  const stop = useCallback(
    (taskId: string) => {
      if (conversationId === null) return;
      dispatch({ type: 'stopping', taskId });
      cancelTask(conversationId, taskId).catch((error: unknown) => {
        dispatch({ type: 'not-stopped', taskId });
        toast({ tone: 'danger', text: `Not stopped. ${problemOf(error)}` });
      });
    },
    [conversationId],
  );

  const discard = useCallback((messageId: string) => dispatch({ type: 'discarded', messageId }), []);
  return { state, connection, send, discard, stop };
}

interface FeedUse {
  thread: ThreadView | null;
  broken: boolean;
  dispatch: Dispatch<ThreadAction>;
}

/** Keeps the stream of updates open, and loads the whole thread anew where the stream cannot go on. */
function useFeed({ thread, broken, dispatch }: FeedUse): Connection {
  const conversationId = thread?.conversation.id ?? null;
  const [connection, setConnection] = useState<Connection>('live');
  const [cursor, setCursor] = useState(thread?.cursor ?? '');

  /** Answers whether trying again makes sense. */
  const reload = useCallback(
    async (id: string): Promise<boolean> => {
      try {
        const fresh = await readThread(id);
        dispatch({ type: 'loaded', tasks: fresh.tasks });
        setCursor(fresh.cursor);
        return true;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0;
        if (status === 401 || status === 403) setConnection('signed-out');
        else if (status === 404) setConnection('gone');
        return status === 0 || status === 429 || status >= 500;
      }
    },
    [dispatch],
  );

  useEffect(() => {
    if (conversationId === null) return;
    return openFeed({
      cursor,
      urlOf: (from) => eventsUrl(conversationId, from),
      onUpdates: (updates) => dispatch({ type: 'updated', updates }),
      onStatus: setConnection,
      onRefused: () => reload(conversationId),
    });
  }, [conversationId, cursor, dispatch, reload]);

  useEffect(() => {
    if (broken && conversationId !== null) void reload(conversationId);
  }, [broken, conversationId, reload]);

  return connection;
}

/** Messages that are not known to have reached the server outlive the page; after a reload the person decides about them. */
function useUnsent(place: string, { outgoing }: ThreadState, dispatch: Dispatch<ThreadAction>): void {
  useEffect(() => {
    for (const message of readUnsent(place)) {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      dispatch({ type: 'not-sent', messageId, problem: 'The page was left before it was sent.' });
    }
  }, [place, dispatch]);

  useEffect(() => {
    const open = outgoing.filter(({ accepted }) => !accepted);
    keepUnsent(
      place,
      open.map(({ messageId, text, files, taskId }) => ({ messageId, text, files, taskId })),
    );
  }, [place, outgoing]);
}

function problemOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it and try again.';
}
