// Package observe owns what an agent that runs is said to do: the states, and who
// says so.
package observe
