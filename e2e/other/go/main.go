// One client of rueidislock, driven as ../node/driven.mjs says.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// byHand is an interval without renewals: the stories decide when a lease ends.
const byHand = time.Hour

// heardWithin is how soon a client knows that Redis has deleted one of its keys.
const heardWithin = 300 * time.Millisecond

// askAgainAfter is how long a waiter relies on being woken.
const askAgainAfter = 10 * time.Second

type client struct {
	address, name string
	output        sync.Mutex
	mutex         sync.Mutex
	lockers       map[string]rueidislock.Locker
	held          map[string]hold
}

type hold struct {
	context context.Context
	release context.CancelFunc
}

func main() {
	address := flag.String("address", "", "host and port of Redis")
	name := flag.String("name", "", "name of this client")
	flag.Parse()
	c := &client{address: *address, name: *name, lockers: map[string]rueidislock.Locker{}, held: map[string]hold{}}
	if _, err := c.locker("lock", 5000); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c.tell("ready rueidislock")
	actors := map[string]chan []string{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		actor, call, _ := strings.Cut(lines.Text(), " ")
		if actors[actor] == nil {
			actors[actor] = make(chan []string, 100)
			go c.act(actor, actors[actor])
		}
		actors[actor] <- strings.Split(call, " ")
	}
}

func (c *client) tell(what string) {
	c.output.Lock()
	defer c.output.Unlock()
	fmt.Printf("%d %s %s\n", time.Now().UnixMicro(), c.name, what)
}

// act runs the calls of an actor one after another: OPERATION KIND NAME [LEASE [HELD]]
func (c *client) act(actor string, calls <-chan []string) {
	for call := range calls {
		text := strings.Join(call, " ")
		c.tell(actor + " > " + text)
		result, err := c.perform(actor, call)
		if err != nil {
			c.tell(actor + " < " + text + " ! Error: " + err.Error())
			continue
		}
		c.tell(actor + " < " + text + " = " + result)
	}
}

func (c *client) perform(actor string, call []string) (string, error) {
	operation, kind, name := call[0], call[1], call[2]
	place := actor + " " + name
	switch operation {
	case "lock", "try":
		lease, err := strconv.Atoi(call[3])
		if err != nil {
			return "", err
		}
		locker, err := c.locker(kind, lease)
		if err != nil {
			return "", err
		}
		acquire := locker.TryWithContext
		if operation == "lock" {
			acquire = patiently(locker.WithContext)
		}
		ctx, release, err := acquire(context.Background(), name)
		if errors.Is(err, rueidislock.ErrNotLocked) {
			return "false", nil
		}
		if err != nil {
			return "", err
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.held[place] = hold{ctx, release}
		return "ok", nil
	case "unlock":
		c.mutex.Lock()
		own := c.held[place]
		c.mutex.Unlock()
		// A release has no result, and the library hears of a lost lock a moment after it is lost.
		select {
		case <-own.context.Done():
			return "", errors.New("not owned or is already unlocked")
		case <-time.After(heardWithin):
		}
		own.release()
		return "ok", nil
	case "auto": // the actor holds the lock for a while, and the library renews it
		if result, err := c.perform(actor, []string{"lock", kind, name, call[3]}); result != "ok" {
			return result, err
		}
		held, err := strconv.Atoi(call[4])
		if err != nil {
			return "", err
		}
		time.Sleep(time.Duration(held) * time.Millisecond)
		return c.perform(actor, []string{"unlock", kind, name})
	case "owner": // the tokens of this library are not visible outside of it
		return "unknown", nil
	default:
		return "", errors.New("no such operation: " + operation)
	}
}

type acquiring = func(context.Context, string) (context.Context, context.CancelFunc, error)

// patiently asks again every 10 s until it has the lock: with rueidislock 1.0.79, one of two waiters in a process may miss
// all later releases. A context with a deadline would end the hold as well.
func patiently(acquire acquiring) acquiring {
	return func(parent context.Context, name string) (context.Context, context.CancelFunc, error) {
		for {
			asking, stop := context.WithCancel(parent)
			timer := time.AfterFunc(askAgainAfter, stop)
			held, release, err := acquire(asking, name)
			if timer.Stop() {
				return held, release, err
			}
			if err == nil {
				release()
			} else if !errors.Is(err, context.Canceled) {
				return held, release, err
			}
		}
	}
}

// locker returns the locker for a lease. The kind is "lock", "single", which has one key, "renewed", or "looping", to
// which Redis also reports the client's own renewals.
func (c *client) locker(kind string, leaseMs int) (rueidislock.Locker, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id := fmt.Sprint(kind, leaseMs)
	if known := c.lockers[id]; known != nil {
		return known, nil
	}
	options := rueidislock.LockerOption{
		ClientOption:   rueidis.ClientOption{InitAddress: []string{c.address}, ClientName: c.name},
		KeyValidity:    time.Duration(leaseMs) * time.Millisecond,
		ExtendInterval: byHand,
		TryNextAfter:   time.Second, // a busy machine is not a server that is gone
	}
	if kind == "renewed" || kind == "looping" {
		options.ExtendInterval = 0
		options.NoLoopTracking = kind == "renewed"
	}
	if kind == "single" {
		options.KeyMajority = 1
		options.KeyPrefix = "single"
	}
	locker, err := rueidislock.NewLocker(options)
	if err == nil {
		c.lockers[id] = locker
	}
	return locker, err
}
