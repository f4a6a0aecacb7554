import {
  type AnchorHTMLAttributes,
  Component,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  type Ref,
  startTransition,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import {
  type Action,
  addressOf,
  type Match,
  type NavigateOptions,
  type Params,
  type Place,
  paramsOf,
  placeAt,
  type Router,
  type RouterState,
} from './router.ts';

interface Here {
  place: Place;
  action: Action;
  matches: readonly Match[];
}

const Way = createContext<Router | null>(null);
const Here = createContext<Here | null>(null);
const Loading = createContext(false);
/** How many frames stand around. */
const Depth = createContext(0);

/** Draws where its router is; `Failed` in place of a screen that could not be led to, or threw. */
export function RouterProvider({ router, Failed }: { router: Router; Failed?: ComponentType<{ error: unknown }> }) {
  const [{ place, action, matches, failure, loading }, setState] = useState(router.state);
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setState(router.state));
    // It may have moved before this listened.
    follow();
    return router.subscribe(follow);
  }, [router]);
  const here = useMemo(() => ({ place, action, matches }), [place, action, matches]);
  return (
    <Way value={router}>
      <Here value={here}>
        <Loading value={loading}>
          <Catch at={place} Failed={Failed} failure={failure}>
            <Level at={0} />
          </Catch>
        </Loading>
      </Here>
    </Way>
  );
}

interface Caught {
  at: Place;
  Failed: ComponentType<{ error: unknown }> | undefined;
  failure: RouterState['failure'];
  children: ReactNode;
}

/** What a screen, or the way to it, threw. Another place is another try. */
class Catch extends Component<Caught, { thrown: RouterState['failure']; at: Place }> {
  override state = { thrown: null as RouterState['failure'], at: this.props.at };

  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } };
  }

  static getDerivedStateFromProps({ at }: Caught, before: { at: Place }) {
    return at === before.at ? null : { thrown: null, at };
  }

  override render() {
    const { Failed, children, failure } = this.props;
    const what = this.state.thrown ?? failure;
    if (what === null) return children;
    if (!Failed) throw what.error;
    return <Failed error={what.error} />;
  }
}

/** The frame or screen at this depth of the way. */
function Level({ at }: { at: number }) {
  const { componentOf } = useRouter();
  const route = useHere().matches[at]?.route;
  if (!route) return null;
  const Part = componentOf(route) ?? (route.children ? Outlet : undefined);
  return <Depth value={at + 1}>{route.element ?? (Part && <Part />)}</Depth>;
}

/** In a frame: what stands in it. */
export function Outlet(): ReactNode {
  return <Level at={useContext(Depth)} />;
}

function useRouter(): Router {
  const router = useContext(Way);
  if (!router) throw new Error('There is no router around this.');
  return router;
}

function useHere(): Here {
  const here = useContext(Here);
  if (!here) throw new Error('There is no router around this.');
  return here;
}

export const useLocation = (): Place => useHere().place;
export const useNavigationType = (): Action => useHere().action;
/** The next screen is being fetched. */
export const useLoading = (): boolean => useContext(Loading);
/** Asked at a press: the path that the player is on his way to, or at. */
export function useHeadingFor(): () => string {
  const router = useRouter();
  return useCallback(() => router.headingFor, [router]);
}
export const useNavigate = (): Router['navigate'] => useRouter().navigate;
/** Before the screen is left, also by Back. */
export const useHold = (): Router['hold'] => useRouter().hold;
/** What the screen's route says of it. */
export const useHandle = (): unknown => useHere().matches.at(-1)?.route.handle;
export const useParams = (): Readonly<Partial<Params>> => useHere().matches.at(-1)?.params ?? {};

/** What the parts of a path stand for, where the address has it. */
export function useMatch(path: string): Params | null {
  return paramsOf(path, useLocation().pathname);
}

type Query = URLSearchParams | Record<string, string>;

/** The query of the address, and how to change it. */
export function useSearchParams(): [
  URLSearchParams,
  (next: Query | ((now: URLSearchParams) => Query), options?: NavigateOptions) => void,
] {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (next: Query | ((now: URLSearchParams) => Query), options?: NavigateOptions) => {
      const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(params)) : next);
      void navigate(`${pathname}?${query}`, options);
    },
    [params, pathname, navigate],
  );
  return [params, change];
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; ref?: Ref<HTMLAnchorElement> };

/** A link within the site: a plain press stays in the page, all else (a new tab, a download) is the browser's. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const { place } = useHere();
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
    if (rest.target !== undefined && rest.target !== '_self') return;
    event.preventDefault();
    // To where he is already: no second entry of it.
    void navigate(to, { replace: addressOf(placeAt(to)) === addressOf(place) });
  };
  return <a {...rest} href={to} onClick={press} />;
}

/** A link that says when the player is at its address, or below it. */
export function NavLink({ to, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const path = placeAt(to).pathname;
  const current = pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
  return <Link {...rest} to={to} aria-current={current ? 'page' : undefined} />;
}
