'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, Suspense } from 'react';
import { Textarea } from '../../forms/inputs';
import { newChatPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { lazyComponent } from '../../ui/overlays/lazy';
import { useTry } from './use-try';

// The chat's thread, loaded on demand.
const Answer = lazyComponent(async () => (await import('./answer')).Answer);

export interface TryItProps {
  agent: { slug: string; name: string };
  signedIn: boolean;
  /** True when the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
}

/** Tries the agent on its page: one message, and the streamed answer below it. */
export function TryIt({ agent, signedIn, resume }: TryItProps): ReactNode {
  const t = useTranslations('market.tryIt');
  const { slug, name } = agent;
  const { text, write, field, pending, problem, posted, submit } = useTry({ slug, signedIn, resume });

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Enter that ends an IME composition sends nothing; some browsers only signal that by the key code.
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
          {t('label', { name })}
        </label>
        <Textarea
          enterKeyHint="send"
          id="try-text"
          maxLength={20_000}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={t('placeholder', { name })}
          ref={field}
          rows={2}
          value={text}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={text.trim() === ''} pending={pending} tone="primary" type="submit">
            {t('send')}
          </Button>
          <LinkButton href={newChatPath(slug, text.slice(0, 2_000) || undefined)} tone="quiet">
            {t('openChat')}
          </LinkButton>
          {signedIn ? null : <span className="text-sm text-muted">{t('signIn')}</span>}
        </div>
      </form>
      {problem ? (
        <Alert live="assertive" title={t('notSent')} tone="danger">
          {problem}
        </Alert>
      ) : null}
      {posted ? (
        <Suspense fallback={<p className="text-sm text-muted">{t('waiting')}</p>}>
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
