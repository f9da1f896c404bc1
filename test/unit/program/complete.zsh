# Prints what zsh offers after each line, and an empty line: zsh -f complete.zsh FOLDER LINE... The completion functions are in FOLDER.
# It types a line and a tab into an interactive zsh, which reads this file too and prints what is added to its list.
if [[ -o interactive ]]; then
  autoload -Uz compinit
  compinit -D -u
  # With descriptions, what is offered would be put together for the screen.
  zstyle ':completion:*' verbose false
  bindkey '^I' complete-word
  setopt no_beep
  compadd() {
    # Some calls only fill a list.
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
      builtin compadd "$@"
      return
    fi
    local -a offered
    builtin compadd -A offered "$@"
    print -rl -- "OFFERED:"$^offered
  }
  # What is typed before there is a prompt would not be completed.
  PROMPT='<ready>'
else
  zmodload zsh/zpty
  zpty typed zsh -f -i
  zpty -w typed "fpath=(${(q)1} \$fpath); source ${(q)0:A}"
  for line in "${@[2,-1]}"; do
    zpty -r typed shown '*<ready>*'
    zpty -w -n typed "$line"$'\t'
    # Ctrl-U takes the line back.
    zpty -w typed $'\x15'"print DO''NE"
    zpty -r typed shown '*DONE*'
    print -r -- "$shown" | tr -d '\r' | sed -n 's/.*OFFERED://p'
    print
  done
  zpty -d typed
fi
