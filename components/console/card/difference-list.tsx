import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CardDifference } from '@/lib/catalog/schema-cards';
import { Fact, FactList } from '../../ui/display/fact-list';

/** The differences between two cards, by member. */
export function DifferenceList({ differences }: { differences: CardDifference[] }): ReactNode {
  const t = useTranslations('console.differenceList');
  return (
    <ol className="divide-y divide-line">
      {differences.map(({ member, before, after }) => (
        <li className="space-y-3 p-5" key={member}>
          <h3 className="font-mono text-xs font-semibold break-all">{member}</h3>
          <FactList>
            <Fact name={t('listed')}>
              <Value mark="del" text={before} />
            </Fact>
            <Fact name={t('new')}>
              <Value mark="ins" text={after} />
            </Fact>
          </FactList>
        </li>
      ))}
    </ol>
  );
}

function Value({ mark: Mark, text }: { mark: 'del' | 'ins'; text: string | null }): ReactNode {
  const t = useTranslations('console.differenceList');
  if (text === null) return <span className="text-muted">{t('nothing')}</span>;
  const style = Mark === 'del' ? 'bg-danger-soft' : 'bg-good-soft';
  return (
    <Mark
      className={`block rounded-sm px-2 py-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere no-underline ${style}`}
    >
      {text}
    </Mark>
  );
}
