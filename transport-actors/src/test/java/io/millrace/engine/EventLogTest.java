package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.TransportEvents;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class EventLogTest {
  private final List<String> lines = new ArrayList<>();

  private final Logger log =
      (Logger)
          Proxy.newProxyInstance(
              Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, this::onCall);

  private @Nullable Object onCall(Object proxy, Method method, Object[] arguments) {
    List<Object> values = new ArrayList<>();
    for (Object each : Arrays.asList(arguments).subList(1, arguments.length)) {
      values.addAll(each instanceof Object[] several ? Arrays.asList(several) : List.of(each));
    }
    lines.add(
        MessageFormatter.arrayFormat(String.valueOf(arguments[0]), values.toArray()).getMessage());
    return null;
  }

  @Test
  void shouldMarkItsLines() {
    new EventLog(log, () -> "seed 5, 700 ns, n1: ").onHandshakeRefused("a:1", "no key", 2);
    new EventLog(log, () -> "").onNicChanged(0, "eth0", false);

    assertEquals(
        List.of(
            "seed 5, 700 ns, n1: Refused a handshake of a:1, number 2 that was refused to its host:"
                + " no key",
            "NIC eth0 is down, as worker 0 sees it: its peers go another way"),
        lines);
  }

  /** Each logged event has the mark, and each value has its place in the line. */
  @Test
  void shouldMarkTheLineOfEachEvent() throws ReflectiveOperationException {
    EventLog events = new EventLog(log, () -> "mark ");
    int logged = 0;
    for (Method method : EventLog.class.getDeclaredMethods()) {
      if (isPlain(method)) {
        method.invoke(events, Arrays.stream(method.getParameters()).map(this::value).toArray());
        logged++;
      }
    }
    assertTrue(logged > 5, () -> lines.toString());
    assertEquals(logged, lines.size());
    for (String line : lines) {
      assertTrue(line.startsWith("mark "), line);
      assertTrue(!line.contains("{}"), line);
    }
  }

  private boolean isPlain(Method method) {
    return Arrays.stream(TransportEvents.class.getMethods())
            .anyMatch(event -> event.getName().equals(method.getName()))
        && Arrays.stream(method.getParameters()).allMatch(each -> value(each) != null);
  }

  private @Nullable Object value(Parameter parameter) {
    return switch (parameter.getType().getSimpleName()) {
      case "String" -> "text";
      case "int" -> 3;
      case "long" -> 4L;
      case "boolean" -> true;
      case "Throwable" -> new IllegalStateException("fault");
      default -> null;
    };
  }
}
