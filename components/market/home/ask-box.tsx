'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { SearchResult } from '@/lib/discovery/schema';
import { savePendingMessage } from '../../chat/state/drafts';
import { newUuid } from '../../chat/state/message-content';
import { resumePath, routes } from '../../routes';
import { AgentMark } from '../../ui/display/agent-mark';
import { SearchIcon } from '../../ui/display/icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { AgentIcon } from '../listing/agent-icon';
import { SearchBox } from '../listing/search-box';
import { useFittingAgents } from './use-fitting-agents';

/** Minimum characters for which choices are offered. */
const MIN_LENGTH = 3;

/** A choice: the agent that gets the text as a message, or all results of a search for it. */
type Choice = { kind: 'agent'; agent: SearchResult } | { kind: 'concierge'; slug: string } | { kind: 'search' };

interface AskBoxProps {
  /** The agent that finds another one for a message; null if it accepts no messages. */
  concierge: string | null;
}

function keyOf(choice: Choice): string {
  return choice.kind === 'agent' ? `agent ${choice.agent.slug}` : choice.kind;
}

/**
 * The input of the home page, which both asks and searches: while the visitor types, it offers the agents that fit the
 * words, and a choice sends the text to that agent. Enter without a choice searches, also without JavaScript.
 */
export function AskBox({ concierge }: AskBoxProps): ReactNode {
  const t = useTranslations('market.askBox');
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const words = text.trim();
  const agents = useFittingAgents(words.length >= MIN_LENGTH ? words : '');
  const choices: Choice[] = [
    ...agents.map((agent): Choice => ({ kind: 'agent', agent })),
    ...(concierge ? [{ kind: 'concierge', slug: concierge } as const] : []),
    { kind: 'search' },
  ];
  const isShown = isOpen && words.length >= MIN_LENGTH;
  // By key, because results that arrive change the positions.
  const active = choices.findIndex((choice) => keyOf(choice) === activeKey);

  function type(event: FormEvent<HTMLInputElement>): void {
    setText(event.currentTarget.value);
    setIsOpen(true);
    setActiveKey(null);
  }

  /** Makes the choice at a position active; none before the first and after the last, so that Enter searches. */
  function activate(index: number): void {
    const choice = choices[index];
    setActiveKey(choice ? keyOf(choice) : null);
  }

  function choose(choice: Choice): void {
    if (choice.kind === 'search') {
      window.location.assign(`${routes.catalog}?${new URLSearchParams({ q: words })}`);
      return;
    }
    const slug = choice.kind === 'agent' ? choice.agent.slug : choice.slug;
    savePendingMessage(slug, { messageId: newUuid(), text: words, files: [] });
    window.location.assign(resumePath(slug));
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || !isShown) return;
    const chosen = choices[active];
    if (event.key === 'Escape') setIsOpen(false);
    else if (event.key === 'ArrowDown') activate(active + 1);
    else if (event.key === 'ArrowUp') activate(active < 0 ? choices.length - 1 : active - 1);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <div className="relative">
      <SearchBox
        input={{
          'aria-activedescendant': isShown && active >= 0 ? `${id}-${active}` : undefined,
          'aria-autocomplete': 'list',
          'aria-controls': `${id}-list`,
          'aria-expanded': isShown,
          'aria-label': t('label'),
          autoComplete: 'off',
          onBlur: () => setIsOpen(false),
          onFocus: () => setIsOpen(true),
          onInput: type,
          onKeyDown: press,
          role: 'combobox',
        }}
      />
      <div className={isShown ? undefined : 'hidden'}>
        <ChoiceList {...{ id, choices, active, words }} onChoose={choose} onKeyDown={press} />
      </div>
    </div>
  );
}

interface ChoiceListProps {
  /** Prefix of the ids of the elements. */
  id: string;
  choices: Choice[];
  /** Index of the active choice; -1 if there is none. */
  active: number;
  words: string;
  onChoose: (choice: Choice) => void;
  /** The keys of the input, which normally keeps the focus. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The choices below the input, which keeps the focus. */
function ChoiceList({ id, choices, active, words, onChoose, onKeyDown }: ChoiceListProps): ReactNode {
  const t = useTranslations('market.askBox');
  return (
    <div
      aria-label={t('choices')}
      className="absolute inset-x-0 top-full z-20 mt-2 overflow-hidden rounded-lg border border-line bg-raised p-1.5 shadow-pop"
      id={`${id}-list`}
      role="listbox"
    >
      {choices.map((choice, index) => (
        <div
          aria-selected={index === active}
          className={clsx(
            'flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 hover:bg-sunken',
            index === active && 'bg-sunken outline-2 -outline-offset-2 outline-focus',
          )}
          id={`${id}-${index}`}
          key={keyOf(choice)}
          onClick={() => onChoose(choice)}
          onKeyDown={onKeyDown}
          onMouseDown={(event) => event.preventDefault()}
          role="option"
          tabIndex={-1}
        >
          <ChoiceText choice={choice} words={words} />
        </div>
      ))}
    </div>
  );
}

function ChoiceText({ choice, words }: { choice: Choice; words: string }): ReactNode {
  const t = useTranslations('market.askBox');
  if (choice.kind === 'agent') {
    const { agent } = choice;
    return (
      <>
        <AgentIcon agent={agent} size={32} />
        <Lines note={<UntrustedText text={agent.description} />}>
          {t.rich('ask', { agent: () => <UntrustedText text={agent.name} /> })}
        </Lines>
      </>
    );
  }
  if (choice.kind === 'concierge') {
    return (
      <>
        <AgentMark size={32} slug={choice.slug} />
        <Lines note={t('conciergeNote')}>{t('concierge')}</Lines>
      </>
    );
  }
  return (
    <>
      <span className="flex size-8 shrink-0 items-center justify-center text-muted">
        <SearchIcon />
      </span>
      <span className="min-w-0 truncate">{t.rich('search', { words: () => <bdi>{words}</bdi> })}</span>
    </>
  );
}

function Lines({ children, note }: { children: ReactNode; note: ReactNode }): ReactNode {
  return (
    <span className="min-w-0">
      <span className="block truncate leading-tight font-medium">{children}</span>
      <span className="block truncate text-sm text-muted">{note}</span>
    </span>
  );
}
