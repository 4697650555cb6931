import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DocsSteps } from '@/components/docs/docs-steps';
import { ErrorList, Ticked } from '@/components/docs/error-list';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { listProblems, problemLead } from '@/lib/http/problem-guide';

export const metadata: Metadata = {
  title: 'Errors',
  description: 'Every error code: why it comes, and what helps.',
  alternates: { canonical: '/docs/errors', types: { 'text/markdown': '/docs/errors.md' } },
};

export default function ErrorsPage(): ReactNode {
  return (
    <>
      <PageHeader lead={<Ticked text={problemLead} />} title="Errors" />
      <ErrorList entries={listProblems()} />
      <DocsSteps entries={listDocs()} slug="errors" />
    </>
  );
}
