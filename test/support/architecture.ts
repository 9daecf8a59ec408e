import {dirname, join, normalize} from 'node:path';
import ts from 'typescript';

/** Source text by path, both relative to the repository. */
export type Sources = ReadonlyMap<string, string>;

/** What each part may import beside itself: the arrows of the architecture, from the bottom up. */
const arrows: Readonly<Record<string, readonly string[]>> = (() => {
  const core = ['src/sim/core'];
  const leaves = ['src/sim/metrics', 'src/sim/traces', 'src/sim/measured', 'src/sim/workload', 'src/models', 'src/policies'];
  const memory = [...core, ...leaves];
  const serving = [...memory, 'src/sim/memory'];
  const scenario = [...serving, 'src/sim/serving'];
  const top = [...scenario, 'src/sim/scenario'];
  return {
    'src/sim/core': [],
    'src/sim/metrics': core,
    'src/sim/traces': core,
    'src/sim/measured': core,
    'src/sim/workload': [...core, 'src/sim/traces'],
    'src/models': core,
    'src/policies': core,
    'src/sim/memory': memory,
    'src/sim/serving': serving,
    'src/sim/scenario': scenario,
    'src/sim/sweep': top,
    'src/sim/compare': top,
    reports: [...top, 'src/sim/compare'],
    calibrate: top,
  };
})();

/** Packages that only the files named may import. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  mathjs: ['src/sim/core/quantity.ts', 'src/sim/core/expression.ts', 'src/sim/core/units.ts'],
};

/** Globals that make a run depend on more than its scenario, or that a browser does not have. */
const impure = new Set([
  'process',
  'console',
  'Date',
  'performance',
  'Buffer',
  'fetch',
  'globalThis',
  'require',
  'eval',
  'setTimeout',
  'setInterval',
]);

/** Returns one line for every import or global that the architecture forbids. */
export function violations(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [path, text] of sources) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
    for (const target of importsOf(file)) {
      const fault = target.startsWith('.') ? wrongArrow(path, resolved(path, target)) : wrongPackage(path, target);
      if (fault !== null) wrong.push(`${path} imports ${fault}`);
    }
    if (!isEdge(path) && !isBrowser(path)) for (const name of globalsOf(file)) wrong.push(`${path} uses ${name}`);
  }
  return wrong;
}

const edgeFolders = ['calibrate/', 'src/sim/sweep/executors/', 'src/sim/sweep/store/'];

/** Files that may touch files, the clock, the process and the console. */
function isEdge(path: string): boolean {
  return isMain(path) || isCommand(path) || path.endsWith('/load.ts') || edgeFolders.some((folder) => path.startsWith(folder));
}

/** Runs in the report page, not in Node. */
function isBrowser(path: string): boolean {
  return path.startsWith('reports/page/client/');
}

function isMain(path: string): boolean {
  return path === 'src/main.ts' || path === 'src/cli.ts';
}

/** Command files import whatever they command, and each other's parts; nobody else imports them but the command line. */
function isCommand(path: string): boolean {
  return path.endsWith('/command.ts') || dirname(path).endsWith('/commands');
}

function partOf(path: string): string | null {
  return Object.keys(arrows).find((part) => path.startsWith(`${part}/`)) ?? null;
}

function wrongArrow(from: string, to: string): string | null {
  if (to === 'src/main.ts' || (to === 'src/cli.ts' && from !== 'src/main.ts')) return to;
  if (isCommand(to) && from !== 'src/cli.ts' && !isCommand(from)) return `the command ${to}`;
  if (isMain(from) || from === 'src/index.ts' || isCommand(from)) return null;
  const part = partOf(from);
  if (part === null) return `${to}, but belongs to no part of the architecture`;
  const target = partOf(to);
  return target === part || (target !== null && arrows[part].includes(target)) ? null : to;
}

function wrongPackage(from: string, name: string): string | null {
  const keeper = keepers[name.split('/')[0]];
  if (keeper !== undefined && !keeper.includes(from)) return `${name}, which only ${keeper.join(' and ')} may`;
  return name.startsWith('node:') && !isEdge(from) ? `${name}, but is no command.ts or load.ts` : null;
}

function resolved(from: string, target: string): string {
  return normalize(join(dirname(from), target)).replace(/\.js$/, '.ts');
}

/** Specifiers of `import`, `export from`, `import()` and `import('…')` types. */
function importsOf(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) add(node.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  const add = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
  };
  visit(file);
  return found;
}

/** Impure globals that the file reads: property names, and names that the file declares itself, do not count. */
function globalsOf(file: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') found.add('Math.random');
    if (ts.isIdentifier(node) && impure.has(node.text)) {
      const parent = node.parent as ts.Node & {name?: ts.Node};
      if (parent.name !== node || ts.isShorthandPropertyAssignment(parent)) found.add(node.text);
      else if (
        ts.isParameter(parent) ||
        ts.isBindingElement(parent) ||
        ts.isVariableDeclaration(parent) ||
        ts.isFunctionDeclaration(parent)
      )
        declared.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const name of declared) found.delete(name);
  return found;
}
