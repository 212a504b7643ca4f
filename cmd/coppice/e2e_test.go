package main

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestEndToEnd runs the built program on real pseudo-terminals, and types and
// looks as a person does. Each test has a home and a store of its own, see world.
func TestEndToEnd(t *testing.T) {
	t.Parallel()
	bin := buildPrograms(t, t.TempDir())
	for name, test := range map[string]func(*testing.T, string){
		"sizes":           testSizes,
		"mouse":           testMouse,
		"resize storm":    testResizeStorm,
		"first run":       testFirstRun,
		"go run":          testGoRun,
		"rename":          testRename,
		"rename refused":  testRenameRefused,
		"fork":            testFork,
		"delete":          testDelete,
		"repaired fork":   testRepairedFork,
		"damage shown":    testDamageShown,
		"resume":          testResume,
		"resume fails":    testResumeFails,
		"agent killed":    testAgentKilled,
		"agent's group":   testAgentGroup,
		"no agent":        testNoAgent,
		"worktree gone":   testWorktreeGone,
		"live":            testLive,
		"live ends":       testLiveEnds,
		"live by host":    testLiveByHost,
		"status":          testStatus,
		"hook alone":      testHookAlone,
		"unregistered":    testLiveWithoutRegister,
		"glance":          testGlance,
		"two panes":       testTwoPanes,
		"switch":          testSwitch,
		"lost":            testLost,
		"no hosts":        testNoBehind,
		"new behind":      testNewBehind,
		"bring back":      testBringBack,
		"take over":       testTakeOver,
		"other agents":    testOtherAgents,
		"live elsewhere":  testLiveElsewhere,
		"shell":           testShell,
		"new worktree":    testNewWorktree,
		"set-up stopped":  testSetUpStopped,
		"branch":          testBranch,
		"remove worktree": testRemoveWorktree,
		"merged":          testMergedWorktrees,
		"last user":       testLastUser,
		"pull requests":   testPullRequests,
		"fork into":       testForkInto,
		"restore":         testRestore,
		"other branch":    testOtherBranch,
		"changes":         testChanges,
		"hostile":         testHostile,
		"quit under load": testQuitUnderLoad,
		"signals":         testSignals,
		"terminal gone":   testTerminalGone,
		"job control":     testJobControl,
		"no colour":       testNoColour,
		"locale C":        testLocaleC,
		"dumb":            testDumb,
		"no terminal":     testNoTerminal,
		"tmux":            testTmux,
		"bad input":       testBadInput,
		"other locale":    testOtherLocale,
		"stalled":         testStalled,
		"key flood":       testKeyFlood,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, bin)
		})
	}
}

// buildPrograms builds coppice and the scripted agent into dir and returns it;
// with the race detector when the test itself has it.
func buildPrograms(t *testing.T, dir string) string {
	t.Helper()
	args := []string{"build", "-o", dir}
	if raced() {
		args = append(args, "-race")
	}
	for _, what := range [][]string{append(args, "."), {"build", "-o", filepath.Join(dir, "fakeagent"), "../../session/agent/fakeagent"}} {
		if out, err := exec.Command("go", what...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(what, " "), err, out)
		}
	}
	return dir
}

// raced reports whether this test was built with the race detector.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "-race" && s.Value == "true" })
}
