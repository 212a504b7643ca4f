// Package observe owns what an agent that runs is said to do: the states, what each
// source says, and which source is right. It reads and never changes what an agent
// does, except that Hooked gives it one hook more.
//
// status.go holds the states; registry.go, event.go, tail.go and screen.go are the
// sources, combine.go decides between them. settings.go puts the hook into an agent's
// command line. usage.go says what a conversation takes, where.go where agents run
// that are not ours.
package observe
