package io.millrace.spring;

import io.millrace.api.Route;
import io.millrace.api.codec.Codec;
import java.lang.reflect.Type;
import org.apache.pekko.util.ByteString;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Makes routes with the codecs of the application, for callers and for {@link MillraceRoute}. The
 * codec of a type is, in this order: bytes as they are for {@link ByteString}; the bean {@code
 * Codec<T>} of exactly this type; JSON by the application's {@code ObjectMapper} of Jackson 2, or
 * by a default mapper without such a bean. Any thread.
 */
public final class RouteFactory {
  private static final boolean HAS_JACKSON =
      ClassUtils.isPresent(
          "com.fasterxml.jackson.databind.ObjectMapper", RouteFactory.class.getClassLoader());

  private final ListableBeanFactory beans;

  RouteFactory(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns a route between two types.
   *
   * @throws IllegalStateException if a type has no codec, or several beans are codecs of a type
   */
  public <Q, R> Route<Q, R> route(String name, Class<Q> request, Class<R> response) {
    return Route.of(name, this.<Q>codec(request), this.<R>codec(response));
  }

  /** Returns the codec of a type, of which the caller knows that it is {@code T}. */
  @SuppressWarnings("unchecked") // the codec is found by the type
  <T> Codec<T> codec(Type type) {
    if (type == ByteString.class) {
      return (Codec<T>) Codec.bytes();
    }
    ResolvableType wanted = ResolvableType.forType(type);
    String[] names =
        beans.getBeanNamesForType(ResolvableType.forClassWithGenerics(Codec.class, wanted));
    if (names.length > 1) {
      throw new IllegalStateException(
          "several beans are a Codec<" + wanted + ">: " + String.join(", ", names));
    }
    if (names.length == 1) {
      return (Codec<T>) beans.getBean(names[0]);
    }
    if (HAS_JACKSON) {
      return (Codec<T>) JacksonCodecs.of(beans, type);
    }
    throw new IllegalStateException(
        "no bean is a Codec<"
            + wanted
            + ">, and jackson-databind of Jackson 2 is not on the class path;"
            + " docs/spring-boot.md shows a codec of Jackson 3");
  }
}
