import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import type { OpenApi, Operation } from '@/lib/docs/schema';
import { ChevronDownIcon } from '../ui/display/icons';
import { withIndex } from '../ui/display/untrusted-text';
import { ApiOperation } from './api-operation';
import { SchemaTree, shapeAnchor } from './schema-tree';

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The whole API by tag. Each endpoint can be expanded separately and linked by its id. */
export function ApiReference({ api }: { api: OpenApi }): ReactNode {
  const all = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return (
    <div className="space-y-10">
      {api.tags.map(({ name }) => (
        <Part key={name} listed={all.filter(({ operation }) => operation.tags.includes(name))} name={name} />
      ))}
      <Shapes shapes={api.components.schemas} />
    </div>
  );
}

/** Schemas shared by responses. */
function Shapes({ shapes }: { shapes: OpenApi['components']['schemas'] }): ReactNode {
  const t = useTranslations('docs.apiReference');
  const sorted = Object.entries(shapes).sort(([one], [other]) => one.localeCompare(other));
  return (
    <section aria-labelledby="shapes">
      <h2 className="mb-3 text-xl font-semibold" id="shapes">
        {t('shapes')}
      </h2>
      <div className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {sorted.map(([name, shape]) => (
          <section className="px-4 py-4" key={name}>
            <h3
              className="mb-1 w-fit rounded-sm px-1 -mx-1 font-mono font-semibold target:bg-accent-soft"
              id={shapeAnchor(name)}
            >
              {name}
            </h3>
            <SchemaTree schema={shape} />
          </section>
        ))}
      </div>
    </section>
  );
}

function Part({ name, listed }: { name: string; listed: Listed[] }): ReactNode {
  return (
    <section aria-labelledby={`part-${name}`}>
      <h2 className="mb-3 text-xl font-semibold" id={`part-${name}`}>
        {name}
      </h2>
      <div className="divide-y divide-line rounded-lg border border-line bg-surface">
        {listed.map(({ method, path, operation }) => (
          <details id={operation.operationId} key={operation.operationId} name="operation">
            <summary className="bare-summary flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-sunken">
              <span className="w-14 shrink-0 font-mono text-xs font-semibold text-accent">{method}</span>
              <EndpointPath path={path} />
              <span className="w-full text-sm text-muted sm:w-auto">{operation.summary}</span>
              <ChevronDownIcon className="chevron hidden sm:block" size={16} />
            </summary>
            <ApiOperation method={method} operation={operation} path={path} />
          </details>
        ))}
      </div>
    </section>
  );
}

/** A path that breaks only before its slashes, so that a phone displays all of it. */
function EndpointPath({ path }: { path: string }): ReactNode {
  return (
    <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">
      {withIndex(path.split(/(?=\/)/)).map(({ item: segment, index }) => (
        <Fragment key={index}>
          <wbr />
          {segment}
        </Fragment>
      ))}
    </code>
  );
}
