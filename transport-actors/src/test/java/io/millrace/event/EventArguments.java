package io.millrace.event;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Every event of the interface, with arguments. */
public final class EventArguments {
  private EventArguments() {}

  /** A subscriber that adds the name and the arguments of each event to a list. */
  static TransportEvents noting(List<String> told) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          if (method.getDeclaringClass() == Object.class) {
            return method.getName().equals("equals") ? (Object) (proxy == args[0]) : 0;
          }
          told.add(method.getName() + Arrays.toString(args));
          return null;
        };
    return (TransportEvents)
        Proxy.newProxyInstance(
            EventArguments.class.getClassLoader(), new Class<?>[] {TransportEvents.class}, handler);
  }

  /** All events but the events of data, which do not come by the interface. */
  static Stream<Method> methods() {
    List<String> data =
        Arrays.stream(EventKind.values())
            .filter(kind -> kind.level() == EventKind.Level.DATA)
            .map(kind -> "on" + kind.title())
            .toList();
    return Arrays.stream(TransportEvents.class.getMethods())
        .filter(method -> !data.contains(method.getName()))
        .sorted(Comparator.comparing(Method::getName));
  }

  /** Arguments for an event. */
  public static Object[] of(Method method) {
    return Arrays.stream(method.getParameterTypes()).map(EventArguments::argument).toArray();
  }

  private static Object argument(Class<?> type) {
    if (type == String.class) {
      return "text";
    }
    if (type == Throwable.class) {
      return new IllegalStateException("fault");
    }
    if (type == CallOutcome.class) {
      return CallOutcome.OK;
    }
    if (type == List.class) {
      return List.of(3);
    }
    if (type == PeerHealthChange.class) {
      return new PeerHealthChange(
          3, "text", PeerHealth.HEALTHY, PeerHealth.FAILED, 7, 0.5, 7, "text");
    }
    if (type == WorkerActivity.class) {
      return new WorkerActivity(
          new WorkerActivity.Span(3, 0, 1, 0),
          new WorkerActivity.Figures(new long[0], new long[0], List.of()),
          List.of(),
          List.of());
    }
    if (type == boolean.class) {
      return true;
    }
    return type == long.class ? (Object) 7L : (Object) 3;
  }
}
