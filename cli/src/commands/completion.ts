import type { Command } from 'commander'

/** The words that can follow a command path: `import` follows `order`, and `--json` follows `order import`. */
interface Step {
  /** Command names, separated by spaces; '' for none. */
  readonly path: string
  readonly words: readonly Word[]
  /** Whether a file name can follow, so that the shell completes it. */
  readonly takesFile: boolean
}
interface Word {
  readonly text: string
  readonly description: string
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }
export type Shell = keyof typeof SCRIPTS

/** The completion script of a shell, generated from the declared commands and options. */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](program.name(), stepsOf(program, ''))
}

function stepsOf(command: Command, path: string): readonly Step[] {
  const options = command.options.map((option) => ({
    text: option.long ?? option.flags,
    description: option.description,
  }))
  const commands = command.commands.map((each) => ({ text: each.name(), description: each.description() }))
  const takesFile =
    command.registeredArguments.some((argument) => argument.name() === 'file') ||
    command.options.some((option) => option.flags.includes('<file>'))
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  )
  const own = {
    path,
    words: [...choices, ...commands, ...options, { text: '--help', description: 'show help' }],
    takesFile,
  }
  const below = command.commands.flatMap((each) => stepsOf(each, path === '' ? each.name() : `${path} ${each.name()}`))
  return [own, ...below]
}

/** In single quotes, which every shell takes literally. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The words before the cursor that are commands, as a path: options and unknown words are skipped. */
function bashScript(name: string, steps: readonly Step[]): string {
  const cases = steps.map(({ path, words, takesFile }) => {
    const list = words.map(({ text }) => text).join(' ')
    return `    ${quoted(path)}) words=${quoted(list)}; files=${takesFile ? 1 : 0} ;;`
  })
  return `# Completion of ${name} for bash:  source <(${name} completion bash)
_${name}_known() {
  case "$1" in
${steps.map(({ path }) => `    ${quoted(path)}) return 0 ;;`).join('\n')}
  esac
  return 1
}
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' files=0 index next
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${path:+$path }\${COMP_WORDS[index]}"
    if _${name}_known "$next"; then path="$next"; fi
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "$files" = 1 ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _${name} ${name}
`
}

function zshScript(name: string, steps: readonly Step[]): string {
  const cases = steps.map(({ path, words, takesFile }) => {
    const list = words.map(({ text, description }) => quoted(`${text}:${description}`)).join(' ')
    return `    ${quoted(path)}) offered=(${list}); files=${takesFile ? 1 : 0} ;;`
  })
  return `#compdef ${name}
# Completion of ${name} for zsh:  source <(${name} completion zsh)
_${name}() {
  local walked='' next index files=0
  local -a known offered
  known=(${pathsOf(steps)})
  for ((index = 2; index < CURRENT; index++)); do
    next="\${walked:+$walked }\${words[index]}"
    if (( \${known[(Ie)$next]} )); then walked="$next"; fi
  done
  case "$walked" in
${cases.join('\n')}
  esac
  _describe ${quoted(name)} offered
  if (( files )); then _files; fi
}
if [[ "$funcstack[1]" = _${name} ]]; then _${name} "$@"
elif (( $+functions[compdef] )); then compdef _${name} ${name}
fi
`
}

function pathsOf(steps: readonly Step[]): string {
  return steps
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join(' ')
}

function fishScript(name: string, steps: readonly Step[]): string {
  const lines = steps.flatMap(({ path, words, takesFile }) => {
    const when = `-n ${quoted(`__${name}_at "${path}"`)}`
    const files = takesFile ? [] : [`complete -c ${name} ${when} -f`]
    const offered = words.map(({ text, description }) => {
      const word = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${text}`
      return `complete -c ${name} ${when} ${word} -d ${quoted(description)}`
    })
    return [...files, ...offered]
  })
  return `# Completion of ${name} for fish:  ${name} completion fish | source
function __${name}_at
    set -l known ${pathsOf(steps)}
    set -l walked ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$walked $word")
        contains -- $next $known; and set walked $next
    end
    test "$walked" = "$argv[1]"
end
${lines.join('\n')}
`
}
