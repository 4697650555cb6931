import { useTranslations } from 'next-intl';
import type { FormEvent, ReactNode } from 'react';
import { Field } from '../forms/field';
import { Select } from '../forms/inputs';
import { Button } from '../ui/controls/button';

interface ImportChoiceProps {
  /** Number of chosen agents. */
  count: number;
  isPending: boolean;
  onList: (visibility: string) => void;
}

const visibilities = ['public', 'unlisted', 'private'] as const;

/** Lists the chosen agents, all with the same visibility. */
export function ImportChoice({ count, isPending, onList }: ImportChoiceProps): ReactNode {
  const t = useTranslations('console.importChoice');
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isPending && count > 0) onList(String(new FormData(event.currentTarget).get('visibility')));
  }
  return (
    <form className="flex flex-wrap items-end gap-x-4 gap-y-3" method="post" onSubmit={submit}>
      <Field id="visibility" label={t('visibility')} required>
        {(control) => (
          <Select {...control} defaultValue="public" name="visibility">
            {visibilities.map((value) => (
              <option key={value} value={value}>
                {t(`visibilities.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button aria-disabled={count === 0} pending={isPending} tone="primary" type="submit">
        {t('list', { count })}
      </Button>
    </form>
  );
}
