package io.millrace.spring;

import io.millrace.api.CallContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A method that answers requests: the types of its request and its response, and the call.
 * Immutable.
 */
final class RouteMethod {
  private final Object bean;
  private final MethodHandle handle;
  private final Type request;
  private final Type response;
  private final boolean contextFirst;
  private final boolean hasContext;

  private RouteMethod(Object bean, Method method) {
    this.bean = bean;
    Parameter[] parameters = method.getParameters();
    hasContext = parameters.length == 2;
    contextFirst = hasContext && parameters[0].getType() == CallContext.class;
    request = method.getGenericParameterTypes()[contextFirst ? 1 : 0];
    response = response(method);
    handle = handle(method);
  }

  /**
   * Returns the method of a bean.
   *
   * @throws IllegalStateException if the method cannot answer requests; the message names the
   *     method
   */
  static RouteMethod of(Object bean, Method method) {
    long contexts = contexts(method);
    long requests = method.getParameterCount() - contexts;
    if (requests != 1 || contexts > 1 || response(method) == void.class) {
      throw new IllegalStateException(
          "@MillraceRoute on "
              + name(method)
              + " needs one parameter for the request, at most one more of CallContext, and a"
              + " response");
    }
    return new RouteMethod(bean, method);
  }

  private static long contexts(Method method) {
    long contexts = 0;
    for (Class<?> each : method.getParameterTypes()) {
      contexts += each == CallContext.class ? 1 : 0;
    }
    return contexts;
  }

  /** Returns the class and the name of a method, for a person. */
  static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }

  private static Type response(Method method) {
    ResolvableType returned = ResolvableType.forMethodReturnType(method);
    return CompletionStage.class.isAssignableFrom(returned.toClass())
        ? returned.as(CompletionStage.class).getGeneric(0).getType()
        : returned.toClass() == Void.class ? void.class : method.getGenericReturnType();
  }

  private static MethodHandle handle(Method method) {
    method.setAccessible(true);
    try {
      return MethodHandles.lookup().unreflect(method);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("@MillraceRoute cannot call " + name(method), e);
    }
  }

  Type request() {
    return request;
  }

  Type response() {
    return response;
  }

  /** Calls the method; the response, or a stage of the response. */
  @Nullable Object call(Object message, CallContext context) throws Throwable {
    if (!hasContext) {
      return handle.invoke(bean, message);
    }
    return contextFirst
        ? handle.invoke(bean, context, message)
        : handle.invoke(bean, message, context);
  }
}
