import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import { Input } from '../../../forms/inputs';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { type ControlNode, FaultText, useBoundValue, useFault } from './control-parts';
import { useSurfaceState } from './use-surface';

/** Longer lists can be filtered. */
const MIN_FILTERED = 8;

/** Options under one legend: radio buttons or checkboxes, in a list or as chips. */
export function SurfaceChoice({ node }: { node: ControlNode<'choice'> }): ReactNode {
  const t = useTranslations('parts.a2ui');
  const id = useId();
  const { isOpen } = useSurfaceState();
  const { value, change } = useBoundValue<string | string[]>(node);
  const { text, leave } = useFault(node);
  const [filter, setFilter] = useState('');
  const { options, isMultiple, isChips, isFilterable, isText } = node;
  const chosen = new Set([value].flat());
  const isLong = isFilterable && options.length >= MIN_FILTERED;
  const shown = isLong ? options.filter((option) => matches(option, filter)) : options;

  function choose(option: string, checked: boolean): void {
    const others = isMultiple ? [...chosen].filter((other) => other !== option) : [];
    const next = checked ? [...others, option] : others;
    change(isText && !isMultiple ? (next[0] ?? '') : next);
  }

  return (
    <fieldset
      aria-describedby={text === null ? undefined : `${id}-fault`}
      className="min-w-0 space-y-1.5"
      disabled={!isOpen}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) leave();
      }}
    >
      <legend className="text-sm font-medium">
        <UntrustedText text={node.label || node.accessibleName || t('choice')} />
      </legend>
      {isLong ? (
        <Input
          aria-label={t('filter')}
          autoComplete="off"
          onChange={(event) => setFilter(event.target.value)}
          placeholder={t('filter')}
          type="search"
          value={filter}
        />
      ) : null}
      <div
        className={
          isChips
            ? 'flex flex-wrap gap-2'
            : 'max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line-strong bg-surface'
        }
      >
        {shown.map((option) => (
          <label
            className={clsx(
              'cursor-pointer has-disabled:cursor-not-allowed has-disabled:opacity-55',
              isChips
                ? 'inline-flex min-h-9 items-center gap-2 rounded-full border border-line-strong bg-surface px-3 text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft touch:min-h-11'
                : 'flex min-h-10 items-start gap-3 px-3 py-2 hover:bg-sunken has-checked:bg-accent-soft touch:min-h-11',
            )}
            key={option.value}
          >
            <input
              aria-invalid={text === null ? undefined : true}
              checked={chosen.has(option.value)}
              className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent touch:size-5"
              name={isMultiple ? undefined : id}
              onChange={(event) => choose(option.value, event.target.checked)}
              type={isMultiple ? 'checkbox' : 'radio'}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <UntrustedText text={option.label} />
            </span>
          </label>
        ))}
      </div>
      <FaultText id={`${id}-fault`} text={text} />
    </fieldset>
  );
}

function matches({ label }: { label: string }, filter: string): boolean {
  return label.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase());
}
