/**
 * A persistent ordered map: `set` and `remove` give a new map that shares all but a few nodes with the old one.
 * The run state is made of these, so that a fact costs the logarithm of the plan and old states stay valid.
 * A weight-balanced tree (Adams; the constants 3 and 2 are the pair proven right for it). Null is the empty map.
 */
export type SortedMap<K extends number | string, V> = Node<K, V> | null;

type Node<K, V> = {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  readonly left: Node<K, V> | null;
  readonly right: Node<K, V> | null;
};

const DELTA = 3;
const GAMMA = 2;

export function get<K extends number | string, V>(map: SortedMap<K, V>, key: K): V | undefined {
  return find(map, key)?.value;
}

export function has<K extends number | string>(map: SortedMap<K, unknown>, key: K): boolean {
  return find(map, key) !== null;
}

function find<K extends number | string, V>(map: SortedMap<K, V>, key: K): SortedMap<K, V> {
  let node = map;
  while (node !== null && key !== node.key) node = key < node.key ? node.left : node.right;
  return node;
}

export function set<K extends number | string, V>(map: SortedMap<K, V>, key: K, value: V): Node<K, V> {
  if (map === null) return { key, value, size: 1, left: null, right: null };
  if (key === map.key) return { ...map, value };
  return key < map.key
    ? balance(map, set(map.left, key, value), map.right)
    : balance(map, map.left, set(map.right, key, value));
}

export function remove<K extends number | string, V>(map: SortedMap<K, V>, key: K): SortedMap<K, V> {
  if (map === null) return null;
  if (key < map.key) {
    const left = remove(map.left, key);
    return left === map.left ? map : balance(map, left, map.right);
  }
  if (key > map.key) {
    const right = remove(map.right, key);
    return right === map.right ? map : balance(map, map.left, right);
  }
  if (map.left === null) return map.right;
  if (map.right === null) return map.left;
  const next = first(map.right) as Node<K, V>;
  return balance(next, map.left, remove(map.right, next.key));
}

/** The entry with the smallest key. */
export function first<K extends number | string, V>(map: SortedMap<K, V>): { key: K; value: V } | null {
  let node = map;
  while (node?.left) node = node.left;
  return node;
}

/** The entry with the smallest key above `key`. */
export function firstAbove<K extends number | string, V>(
  map: SortedMap<K, V>,
  key: K,
): { key: K; value: V } | null {
  let node = map;
  let found: Node<K, V> | null = null;
  while (node !== null) {
    if (node.key > key) {
      found = node;
      node = node.left;
    } else node = node.right;
  }
  return found;
}

/** All entries by key. Lazy: taking the first few costs only those. */
export function* entries<K extends number | string, V>(map: SortedMap<K, V>): Generator<readonly [K, V]> {
  const path: Node<K, V>[] = [];
  let node = map;
  while (node !== null || path.length > 0) {
    while (node !== null) {
      path.push(node);
      node = node.left;
    }
    const next = path.pop() as Node<K, V>;
    yield [next.key, next.value];
    node = next.right;
  }
}

export function* values<V>(map: SortedMap<number, V> | SortedMap<string, V>): Generator<V> {
  for (const [, value] of entries(map as SortedMap<string, V>)) yield value;
}

type Children<K, V> = { left: Node<K, V> | null; right: Node<K, V> | null };

function node<K, V>(entry: { key: K; value: V }, { left, right }: Children<K, V>): Node<K, V> {
  return { key: entry.key, value: entry.value, size: 1 + weight(left) + weight(right), left, right };
}

const weight = (map: { size: number } | null): number => (map === null ? 0 : map.size);

function balance<K, V>(
  top: { key: K; value: V },
  left: Node<K, V> | null,
  right: Node<K, V> | null,
): Node<K, V> {
  const l = weight(left) + 1;
  const r = weight(right) + 1;
  if (right !== null && r > DELTA * l) return rotateLeft(top, left, right);
  if (left !== null && l > DELTA * r) return rotateRight(top, left, right);
  return node(top, { left, right });
}

function rotateLeft<K, V>(top: { key: K; value: V }, left: Node<K, V> | null, right: Node<K, V>): Node<K, V> {
  const inner = right.left;
  if (inner === null || weight(inner) + 1 < GAMMA * (weight(right.right) + 1)) {
    return node(right, { left: node(top, { left, right: inner }), right: right.right });
  }
  return node(inner, {
    left: node(top, { left, right: inner.left }),
    right: node(right, { left: inner.right, right: right.right }),
  });
}

function rotateRight<K, V>(
  top: { key: K; value: V },
  left: Node<K, V>,
  right: Node<K, V> | null,
): Node<K, V> {
  const inner = left.right;
  if (inner === null || weight(inner) + 1 < GAMMA * (weight(left.left) + 1)) {
    return node(left, { left: left.left, right: node(top, { left: inner, right }) });
  }
  return node(inner, {
    left: node(left, { left: left.left, right: inner.left }),
    right: node(top, { left: inner.right, right }),
  });
}
