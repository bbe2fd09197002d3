package io.millrace.spring;

import io.millrace.api.Registration;
import io.millrace.api.Route;
import io.millrace.api.ServeOptions;
import io.millrace.api.Transport;
import io.millrace.api.codec.Codec;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;

/** Serves the methods with {@link MillraceRoute} of all beans. */
final class RouteRegistrar {
  private final ConfigurableListableBeanFactory beans;
  private final RouteFactory codecs;
  private final Environment environment;

  RouteRegistrar(
      ConfigurableListableBeanFactory beans, RouteFactory codecs, Environment environment) {
    this.beans = beans;
    this.codecs = codecs;
    this.environment = environment;
  }

  /**
   * Serves every route.
   *
   * @throws IllegalStateException if a method cannot serve its route; the message names the method
   */
  List<Registration> serve(Transport transport) {
    List<Registration> served = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class)) {
      Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && AnnotationUtils.isCandidateClass(type, MillraceRoute.class)) {
        routes(type).forEach((method, route) -> served.add(serve(transport, name, method, route)));
      }
    }
    return served;
  }

  private static Map<Method, MillraceRoute> routes(Class<?> type) {
    return MethodIntrospector.selectMethods(
        type,
        (MethodIntrospector.MetadataLookup<MillraceRoute>)
            method -> AnnotatedElementUtils.findMergedAnnotation(method, MillraceRoute.class));
  }

  private Registration serve(
      Transport transport, String beanName, Method method, MillraceRoute route) {
    Object bean = beans.getBean(beanName);
    Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
    RouteMethod target = RouteMethod.of(bean, invocable);
    String name = environment.resolveRequiredPlaceholders(route.value());
    try {
      Codec<Object> requests = codecs.codec(target.request());
      Codec<Object> responses = codecs.codec(target.response());
      return transport.serve(
          Route.of(name, SizedRequest.codec(requests), responses),
          ServeOptions.DEFAULTS,
          new RouteHandler(target, new RequestBudget(name, route.requestBytes()), threads(name)));
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "@MillraceRoute(\"" + name + "\") on " + RouteMethod.name(method) + ": " + e.getMessage(),
          e);
    }
  }

  private String threads(String route) {
    boolean isVirtual =
        environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
    return isVirtual ? "millrace-" + route : "";
  }
}
