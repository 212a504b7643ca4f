package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// What comes after an agent that ran for an hour is not kept waiting for two.
func TestPumpAfterALongBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPump()
		taken := make(chan time.Time, 2)
		work := time.Hour
		go p.run(ctx, func([]envelope) {
			<-time.After(work)
			work = 0
			taken <- time.Now()
		})
		p.send(ctx, envelope{})
		synctest.Wait()
		p.send(ctx, envelope{})
		if wait := (<-taken).Sub(<-taken); -wait > frameGapMax {
			t.Errorf("the next batch came %v later", -wait)
		}
		cancel()
		<-p.done
	})
}
