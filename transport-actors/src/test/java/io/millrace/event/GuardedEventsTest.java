package io.millrace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GuardedEventsTest {
  final List<String> told = new ArrayList<>();
  private final List<Throwable> reported = new ArrayList<>();

  /** Notes what it is told. */
  final TransportEvents noting = events(false);

  /** Notes what it is told, and throws. */
  private final TransportEvents throwing = events(true);

  private TransportEvents events(boolean isThrowing) {
    return (TransportEvents)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TransportEvents.class},
            (proxy, method, args) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals") ? (Object) (proxy == args[0]) : 0;
              }
              told.add(method.getName() + Arrays.toString(args));
              if (isThrowing) {
                throw told.size() % 2 == 0
                    ? new IllegalStateException("on purpose")
                    : new AssertionError("on purpose");
              }
              return null;
            });
  }

  static Stream<Method> methods() {
    return Arrays.stream(TransportEvents.class.getMethods())
        .sorted(Comparator.comparing(Method::getName));
  }

  static Object[] arguments(Method method) {
    return Arrays.stream(method.getParameterTypes()).map(GuardedEventsTest::argument).toArray();
  }

  private static Object argument(Class<?> type) {
    if (type == String.class) {
      return "text";
    }
    if (type == Throwable.class) {
      return new IllegalStateException("fault");
    }
    if (type == DropReason.class) {
      return DropReason.MALFORMED;
    }
    return type == long.class ? (Object) 7L : (Object) 3;
  }

  @Test
  void shouldTellEverythingAndThrowNothing() throws Exception {
    TransportEvents guarded = GuardedEvents.of(throwing, reported::add);
    List<String> expected = new ArrayList<>();
    for (Method method : methods().toList()) {
      Object[] arguments = arguments(method);
      expected.add(method.getName() + Arrays.toString(arguments));
      method.invoke(guarded, arguments);
    }
    assertEquals(expected, told);
    assertEquals(
        64 - Long.numberOfLeadingZeros(expected.size()), reported.size(), "1st, 2nd, 4th, 8th...");
  }

  @Test
  void shouldLeaveWhoSeesNothingAsItIs() {
    assertSame(TransportEvents.NONE, GuardedEvents.of(TransportEvents.NONE, reported::add));
  }
}
