'use client';

import { type KeyboardEvent, type ReactNode, Suspense } from 'react';
import { newChatPath } from '../../shell/routes';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { LinkButton } from '../../ui/link-button';
import { Textarea } from '../../ui/textarea';
import { useTry } from './use-try';

// The chat's own thread; nobody who only reads the page needs it.
const Answer = lazyPart(async () => (await import('./answer')).Answer);

export interface TryItProps {
  agent: { slug: string; name: string };
  signedIn: boolean;
  /** The person comes back from signing in: what they wrote before is sent. */
  resume: boolean;
}

/** Talks to the agent without leaving its page: one message, and the answer below it as it comes. */
export function TryIt({ agent, signedIn, resume }: TryItProps): ReactNode {
  const { slug, name } = agent;
  const { text, write, field, pending, problem, posted, submit } = useTry({ slug, signedIn, resume });

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Enter that ends the composition of a word sends nothing; some browsers tell of it by the code alone.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  }

  return (
    <div className="space-y-4">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className="sr-only" htmlFor="try-text">
          Your message to {name}
        </label>
        <Textarea
          id="try-text"
          maxLength={20_000}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={`Ask ${name} something`}
          ref={field}
          rows={2}
          value={text}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={text.trim() === ''} pending={pending} tone="primary" type="submit">
            Send
          </Button>
          <LinkButton href={newChatPath(slug, text.slice(0, 2_000) || undefined)} tone="quiet">
            Open the chat
          </LinkButton>
          {signedIn ? null : <span className="text-sm text-muted">You sign in when you send.</span>}
        </div>
      </form>
      {problem ? (
        <Alert live="assertive" title="Not sent" tone="danger">
          {problem}
        </Alert>
      ) : null}
      {posted ? (
        <Suspense fallback={<p className="text-sm text-muted">Sent. Waiting for the answer…</p>}>
          <Answer
            agent={agent}
            branch={posted.branch}
            conversationId={posted.conversationId}
            key={posted.conversationId}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
