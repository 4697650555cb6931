'use client';

import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/overlays/dialog';
import { chooseTheme } from '../theme/theme-switcher';
import { type PaletteItem, paletteActions, paletteItems, usePaletteSearch } from './palette-items';

export interface CommandPaletteProps {
  signedIn: boolean;
  isAdmin: boolean;
  onClose: () => void;
  onShowKeys: () => void;
}

const themes = ['light', 'dark', 'system'] as const;

/** Search and navigation: agents, conversations, pages and a few actions. */
export function CommandPalette({ signedIn, isAdmin, onClose, onShowKeys }: CommandPaletteProps): ReactNode {
  const t = useTranslations('shell.commandPalette');
  const tItems = useTranslations('shell.paletteItems');
  const router = useRouter();
  const [words, setWords] = useState('');
  const { agents, conversations } = usePaletteSearch(words.trim(), signedIn);
  const pages = fitting(paletteItems({ signedIn, isAdmin }, tItems), words);
  const actions = fitting(paletteActions(tItems), words);

  function go({ href }: PaletteItem): void {
    onClose();
    router.push(href);
  }

  function act({ id }: PaletteItem): void {
    const theme = themes.find((one) => one === id);
    if (!theme) {
      onShowKeys();
      return;
    }
    chooseTheme(theme);
    onClose();
  }

  const none = agents.length + conversations.length + pages.length + actions.length === 0;
  return (
    <Dialog onOpenChange={(open) => !open && onClose()} open title={t('title')}>
      <Command label={t('label')} loop shouldFilter={false}>
        <Command.Input
          autoFocus
          className="mt-1 min-h-11 w-full rounded-md border border-line-strong bg-surface px-3"
          onValueChange={setWords}
          placeholder={t('placeholder')}
          value={words}
        />
        <Command.List className="mt-2 max-h-[min(24rem,60dvh)] overflow-y-auto" label={t('results')}>
          <Group heading={t('agents')} items={agents} onChoose={go} />
          <Group heading={t('conversations')} items={conversations} onChoose={go} />
          <Group heading={t('pages')} items={pages} onChoose={go} />
          <Group heading={t('actions')} items={actions} onChoose={act} />
        </Command.List>
      </Command>
      <p className="text-sm text-muted empty:hidden" role="status">
        {none ? t('nothing') : ''}
      </p>
    </Dialog>
  );
}

interface GroupProps {
  heading: string;
  items: PaletteItem[];
  onChoose: (item: PaletteItem) => void;
}

function Group({ heading, items, onChoose }: GroupProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <Command.Group
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
      heading={heading}
    >
      {items.map((item) => (
        <Command.Item
          className="flex min-h-10 cursor-pointer items-center rounded-md px-2 text-sm aria-selected:bg-sunken touch:min-h-11"
          key={item.id}
          onSelect={() => onChoose(item)}
          value={item.id}
        >
          {item.text}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function fitting(items: PaletteItem[], words: string): PaletteItem[] {
  const wanted = words.trim().toLowerCase();
  return items.filter(({ text, words: others = [] }) =>
    [text, ...others].some((name) => name.toLowerCase().includes(wanted)),
  );
}
