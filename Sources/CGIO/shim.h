#ifndef KAYIT_CGIO_SHIM_H
#define KAYIT_CGIO_SHIM_H

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>

#endif
