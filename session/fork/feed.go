package fork

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"coppice/session/move/carry"
)

// batchSize is how much of the source is read at once; a longer record is read
// alone.
const batchSize = 1 << 20

// batch is a part of the source that holds some of the items, one behind the
// other.
type batch struct {
	items []item
	at    int64 // of data in the source
	data  []byte
}

// bytes returns the record of one of the items.
func (b *batch) bytes(it item) []byte {
	from, size := it.span()
	return b.data[from-b.at : from-b.at+size]
}

// span returns where the record of an item lies.
func (it item) span() (offset, size int64) {
	if it.row != nil {
		return it.row.Offset, int64(it.row.Size)
	}
	return it.record.Offset, int64(it.record.Size)
}

// feed reads the records of items, in their order, while those before them are in
// use.
type feed struct {
	src     io.ReaderAt
	full    chan *batch // closed behind the last one, or after an error
	free    chan *batch
	reading sync.WaitGroup
	stop    context.CancelFunc
	err     error // once reading is done
}

func newFeed(ctx context.Context, src io.ReaderAt, items []item) *feed {
	const batches = 3
	f := &feed{src: src, full: make(chan *batch, batches), free: make(chan *batch, batches)}
	for range batches {
		f.free <- &batch{}
	}
	ctx, f.stop = context.WithCancel(ctx)
	f.reading.Go(func() {
		defer close(f.full)
		f.err = f.read(ctx, items)
	})
	return f
}

func (f *feed) read(ctx context.Context, items []item) error {
	for len(items) > 0 {
		var b *batch
		select {
		case b = <-f.free:
		case <-ctx.Done():
			return ctx.Err()
		}
		n, size := fit(items)
		b.items, items = items[:n], items[n:]
		b.at, _ = b.items[0].span()
		if err := b.fill(f.src, int(size)); err != nil {
			return err
		}
		f.full <- b
	}
	return nil
}

// fit returns how many of the items lie in one batch, and how long that is.
func fit(items []item) (n int, size int64) {
	from, size := items[0].span()
	for n = 1; n < len(items); n++ {
		at, length := items[n].span()
		if at < from || at+length-from > batchSize {
			break
		}
		size = max(size, at+length-from)
	}
	return n, size
}

func (b *batch) fill(src io.ReaderAt, size int) error {
	if cap(b.data) < size {
		b.data = make([]byte, max(size, batchSize))
	}
	b.data = b.data[:size]
	n, err := src.ReadAt(b.data, b.at)
	if n == size {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = carry.ErrChanged
	}
	return fmt.Errorf("read the transcript: %w", err)
}

// done takes a batch back. Of a long record it keeps no memory.
func (f *feed) done(b *batch) {
	if cap(b.data) > batchSize {
		b.data = nil
	}
	f.free <- b
}

// close ends the reading and returns its error.
func (f *feed) close() error {
	f.stop()
	f.reading.Wait()
	if errors.Is(f.err, context.Canceled) {
		return nil // by close, or by the caller, who knows
	}
	return f.err
}
