import type { ReactNode } from 'react';
import { clientsNow } from '../cursor/routes-now.ts';
import { isLinkableClient } from '../url/clients-link.ts';
import { Link } from '../url/router.tsx';

type ClientLinkProps = { client: string; source: string; children: ReactNode };

/** A link to the page of a client. Renders only its contents if no path can contain the id of the client. */
export function ClientLink({ client, source, children }: ClientLinkProps) {
  if (!isLinkableClient(client)) return children;
  return <Link to={clientsNow({ client, source })}>{children}</Link>;
}
