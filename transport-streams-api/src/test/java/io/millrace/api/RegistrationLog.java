package io.millrace.api;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * A driver that records the order of memory registrations, deregistrations, and the close of its
 * endpoint.
 */
final class RegistrationLog extends ForwardingDriver {
  static final String REGISTERED = "register";
  static final String DEREGISTERED = "deregister";
  static final String CLOSED = "close";

  final List<String> lines = new ArrayList<>();

  RegistrationLog(DriverProvider driver) {
    super(driver);
  }

  /** Returns the number of open registrations. */
  long live() {
    return count(REGISTERED) - count(DEREGISTERED);
  }

  private long count(String line) {
    return lines.stream().filter(line::equals).count();
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    Endpoint endpoint = super.open(settings);
    return watched(
        Endpoint.class,
        (method, arguments) -> {
          Object result = call(endpoint, method, arguments);
          if (method.getName().equals(CLOSED)) {
            lines.add(CLOSED);
          }
          return result instanceof RemoteMemory memory ? watched(memory) : result;
        });
  }

  private RemoteMemory watched(RemoteMemory memory) {
    return watched(
        RemoteMemory.class,
        (method, arguments) -> {
          Object result = call(memory, method, arguments);
          if (method.getName().endsWith(REGISTERED)) {
            lines.add(method.getName());
          }
          return result;
        });
  }

  private interface Call {
    Object to(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T watched(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.to(method, arguments)));
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
