// The compiler reads each file where it is kept; what changes there is compiled anew.

#include "CWebFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char client_js[] = {
#embed "../../../clients/web/livedelta.js"
};

static const unsigned char client_d_ts[] = {
#embed "../../../clients/web/livedelta.d.ts"
};

static const unsigned char client_dom_js[] = {
#embed "../../../clients/web/livedelta-dom.js"
};

static const unsigned char client_dom_d_ts[] = {
#embed "../../../clients/web/livedelta-dom.d.ts"
};

static const unsigned char client_edits_js[] = {
#embed "../../../clients/web/livedelta-edits.js"
};

static const unsigned char client_edits_d_ts[] = {
#embed "../../../clients/web/livedelta-edits.d.ts"
};

static const unsigned char client_many_js[] = {
#embed "../../../clients/web/livedelta-many.js"
};

static const unsigned char client_many_d_ts[] = {
#embed "../../../clients/web/livedelta-many.d.ts"
};

static const unsigned char client_motion_js[] = {
#embed "../../../clients/web/livedelta-motion.js"
};

static const unsigned char client_motion_d_ts[] = {
#embed "../../../clients/web/livedelta-motion.d.ts"
};

static const unsigned char client_outbox_js[] = {
#embed "../../../clients/web/livedelta-outbox.js"
};

static const unsigned char client_outbox_d_ts[] = {
#embed "../../../clients/web/livedelta-outbox.d.ts"
};

static const unsigned char client_react_js[] = {
#embed "../../../clients/web/livedelta-react.js"
};

static const unsigned char client_react_d_ts[] = {
#embed "../../../clients/web/livedelta-react.d.ts"
};

static const unsigned char client_store_js[] = {
#embed "../../../clients/web/livedelta-store.js"
};

static const unsigned char client_store_d_ts[] = {
#embed "../../../clients/web/livedelta-store.d.ts"
};

static const unsigned char client_tabs_js[] = {
#embed "../../../clients/web/livedelta-tabs.js"
};

static const unsigned char client_tabs_d_ts[] = {
#embed "../../../clients/web/livedelta-tabs.d.ts"
};
static const unsigned char client_virtual_js[] = {
#embed "../../../clients/web/livedelta-virtual.js"
};

static const unsigned char client_virtual_d_ts[] = {
#embed "../../../clients/web/livedelta-virtual.d.ts"
};

static const unsigned char client_view_js[] = {
#embed "../../../clients/web/livedelta-view.js"
};

static const unsigned char client_view_d_ts[] = {
#embed "../../../clients/web/livedelta-view.d.ts"
};

static const unsigned char inspector_index_html[] = {
#embed "../../../clients/web/inspector/index.html"
};

static const unsigned char inspector_style_css[] = {
#embed "../../../clients/web/inspector/style.css"
};

static const unsigned char inspector_icon_svg[] = {
#embed "../../../clients/web/inspector/icon.svg"
};

static const unsigned char inspector_main_js[] = {
#embed "../../../clients/web/inspector/main.js"
};

static const unsigned char inspector_address_js[] = {
#embed "../../../clients/web/inspector/address.js"
};

static const unsigned char inspector_change_js[] = {
#embed "../../../clients/web/inspector/change.js"
};

static const unsigned char inspector_elements_js[] = {
#embed "../../../clients/web/inspector/elements.js"
};

static const unsigned char inspector_filter_js[] = {
#embed "../../../clients/web/inspector/filter.js"
};

static const unsigned char inspector_inbox_js[] = {
#embed "../../../clients/web/inspector/inbox.js"
};

static const unsigned char inspector_list_js[] = {
#embed "../../../clients/web/inspector/list.js"
};

static const unsigned char inspector_example_js[] = {
#embed "../../../clients/web/inspector/example.js"
};

static const unsigned char inspector_rows_js[] = {
#embed "../../../clients/web/inspector/rows.js"
};

static const unsigned char inspector_service_js[] = {
#embed "../../../clients/web/inspector/service.js"
};

static const unsigned char inspector_sidebar_js[] = {
#embed "../../../clients/web/inspector/sidebar.js"
};

static const unsigned char inspector_steps_js[] = {
#embed "../../../clients/web/inspector/steps.js"
};

static const unsigned char inspector_timeline_js[] = {
#embed "../../../clients/web/inspector/timeline.js"
};

static const unsigned char inspector_words_js[] = {
#embed "../../../clients/web/inspector/words.js"
};

static const unsigned char inspector_write_js[] = {
#embed "../../../clients/web/inspector/write.js"
};

static const unsigned char openapi_json[] = {
#embed "../../../docs/openapi.json"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const cweb_file files[] = {
    FILE("livedelta.js", client_js),
    FILE("livedelta.d.ts", client_d_ts),
    FILE("livedelta-dom.js", client_dom_js),
    FILE("livedelta-dom.d.ts", client_dom_d_ts),
    FILE("livedelta-edits.js", client_edits_js),
    FILE("livedelta-edits.d.ts", client_edits_d_ts),
    FILE("livedelta-many.js", client_many_js),
    FILE("livedelta-many.d.ts", client_many_d_ts),
    FILE("livedelta-motion.js", client_motion_js),
    FILE("livedelta-motion.d.ts", client_motion_d_ts),
    FILE("livedelta-outbox.js", client_outbox_js),
    FILE("livedelta-outbox.d.ts", client_outbox_d_ts),
    FILE("livedelta-react.js", client_react_js),
    FILE("livedelta-react.d.ts", client_react_d_ts),
    FILE("livedelta-store.js", client_store_js),
    FILE("livedelta-store.d.ts", client_store_d_ts),
    FILE("livedelta-tabs.js", client_tabs_js),
    FILE("livedelta-tabs.d.ts", client_tabs_d_ts),
    FILE("livedelta-virtual.js", client_virtual_js),
    FILE("livedelta-virtual.d.ts", client_virtual_d_ts),
    FILE("livedelta-view.js", client_view_js),
    FILE("livedelta-view.d.ts", client_view_d_ts),
    FILE("inspector/index.html", inspector_index_html),
    FILE("inspector/style.css", inspector_style_css),
    FILE("inspector/icon.svg", inspector_icon_svg),
    FILE("inspector/main.js", inspector_main_js),
    FILE("inspector/address.js", inspector_address_js),
    FILE("inspector/change.js", inspector_change_js),
    FILE("inspector/elements.js", inspector_elements_js),
    FILE("inspector/filter.js", inspector_filter_js),
    FILE("inspector/inbox.js", inspector_inbox_js),
    FILE("inspector/list.js", inspector_list_js),
    FILE("inspector/example.js", inspector_example_js),
    FILE("inspector/rows.js", inspector_rows_js),
    FILE("inspector/service.js", inspector_service_js),
    FILE("inspector/sidebar.js", inspector_sidebar_js),
    FILE("inspector/steps.js", inspector_steps_js),
    FILE("inspector/timeline.js", inspector_timeline_js),
    FILE("inspector/words.js", inspector_words_js),
    FILE("inspector/write.js", inspector_write_js),
};

const cweb_file *cweb_files(void) { return files; }

size_t cweb_files_count(void) { return sizeof files / sizeof files[0]; }

static const cweb_file contract = FILE("openapi.json", openapi_json);

const cweb_file *cweb_contract(void) { return &contract; }
