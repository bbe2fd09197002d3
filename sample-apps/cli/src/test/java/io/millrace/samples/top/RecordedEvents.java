package io.millrace.samples.top;

import io.millrace.event.TransportEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands every event to a subscriber, and remembers the event for another subscriber. */
final class RecordedEvents {
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final TransportEvents events;

  /** An event. */
  private record Call(Method method, Object[] arguments) {
    Object on(TransportEvents subscriber) throws Throwable {
      try {
        return method.invoke(subscriber, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  RecordedEvents(TransportEvents subscriber) {
    events =
        (TransportEvents)
            Proxy.newProxyInstance(
                TransportEvents.class.getClassLoader(),
                new Class<?>[] {TransportEvents.class},
                (proxy, method, arguments) -> {
                  if (method.getDeclaringClass() == Object.class) {
                    return method.getName().equals("equals") ? proxy == arguments[0] : 0;
                  }
                  Call call = new Call(method, arguments);
                  calls.add(call);
                  return call.on(subscriber);
                });
  }

  /** Returns the events to subscribe. */
  TransportEvents events() {
    return events;
  }

  /** Tells the events again. */
  void replay(TransportEvents to) throws Throwable {
    for (Call call : calls) {
      Object _ = call.on(to);
    }
  }
}
